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
