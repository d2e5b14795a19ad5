/**
 * The items that are looked at under `look`: `count` of them, spread evenly, and other ones under each of the `looks`.
 * All items where there are no more.
 */
export function itemsUnder<Item, Look>(
  items: readonly Item[],
  { looks, look, count }: { readonly looks: readonly Look[]; readonly look: Look; readonly count: number },
): readonly Item[] {
  if (count >= items.length) return items;
  const distance = items.length / (count * looks.length);
  const places = Array.from({ length: count }, (_, turn) => looks.indexOf(look) + turn * looks.length);
  return places.map(place => items[Math.floor(place * distance)] as Item);
}
