import { parseFilters, type ListEnvelope } from '../../../platform/http/lists';

/** A list that is answered whole. Throws Refusal invalid_filter for any parameter. */
export function wholeList<Item>(
  name: string,
  query: Readonly<Record<string, unknown>>,
  data: readonly Item[],
): ListEnvelope<Item> {
  parseFilters(query, []);
  return { object: 'list', url: `/admin/system/${name}`, has_more: false, data };
}
