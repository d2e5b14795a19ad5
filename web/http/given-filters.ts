import { isRefusal } from '../../src/vocabulary/errors';
import { filterFault, type FilterLabels } from '../words/filter-faults';

/** The query of a list's address, as it was given. */
export type Given = Readonly<Record<string, unknown>>;

/** A list's filters as they were given. A form of filters sends the empty ones too, which filter nothing. */
export function givenFilters(query: Given): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** The fields that were filled in. */
export function givenTexts(query: Given): Readonly<Record<string, string>> {
  const texts = Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** The place of a page in its list. `next` is the id behind which the next page begins; null on the last page. */
export type Place = { readonly next: string | null; readonly isFirst: boolean };

export function placeOf(
  { starting_after: after }: Given,
  { data, has_more: hasMore }: { readonly data: readonly { readonly id: string }[]; readonly has_more: boolean },
): Place {
  return { next: hasMore ? (data.at(-1)?.id ?? null) : null, isFirst: after === undefined };
}

/** The reason why a filter was refused; null where the list was found. */
export type Fault = { readonly fault: string | null };

/** The list that `find` finds. A refused filter may still be typed, so `nothing` is answered then, with the reason. */
export async function orFilterFault<View extends object>(
  labels: FilterLabels,
  nothing: View,
  find: () => Promise<View>,
): Promise<View & Fault> {
  try {
    return { ...(await find()), fault: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...nothing, fault: filterFault(error, labels) };
  }
}
