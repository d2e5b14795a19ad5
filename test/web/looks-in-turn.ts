/**
 * The items that are looked at under any of the `group`, which is a part of all `looks`. Each stands with its looks, so
 * that a page is loaded once for all looks that show the same markup.
 */
export function itemsWithLooks<Item, Look>(
  items: readonly Item[],
  { looks, group, count }: { readonly looks: readonly Look[]; readonly group: readonly Look[]; readonly count: number },
): readonly { readonly item: Item; readonly under: readonly Look[] }[] {
  const chosen = group.map(look => ({ look, items: new Set(itemsUnder(items, { looks, look, count })) }));
  return items
    .map(item => ({ item, under: chosen.filter(each => each.items.has(item)).map(({ look }) => look) }))
    .filter(({ under }) => under.length > 0);
}

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
