/** A list's filters as they were given. A form of filters sends the empty ones too, which filter nothing. */
export function givenFilters(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
