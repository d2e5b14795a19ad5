/**
 * The items that are looked at under `look`, where each item is looked at under `times` of the `looks`. Neighbouring
 * items begin with neighbouring looks, so a small search visits every item and uses every look.
 */
export function itemsUnder<Item, Look>(
  items: readonly Item[],
  { looks, look, times }: { readonly looks: readonly Look[]; readonly look: Look; readonly times: number },
): readonly Item[] {
  const place = looks.indexOf(look);
  return items.filter((_, index) => (place + looks.length - (index % looks.length)) % looks.length < times);
}
