/** Merchants in turn, and the endpoints of each in turn: a served merchant goes behind the others. */
export class Turns<Item extends { readonly merchantId: string }> {
  private readonly merchants = new Map<string, Set<Item>>();

  /** Adds the item behind the merchant's others. An item that has its turn already keeps it. */
  add(item: Item): void {
    const items = this.merchants.get(item.merchantId) ?? new Set();
    this.merchants.set(item.merchantId, items.add(item));
  }

  remove(item: Item): void {
    const items = this.merchants.get(item.merchantId);
    items?.delete(item);
    if (items?.size === 0) this.merchants.delete(item.merchantId);
  }

  /** Takes out the next one; merchants that may not be served now are passed over and keep their place. */
  take(mayServe: (merchantId: string) => boolean): Item | null {
    for (const [merchantId, items] of this.merchants) {
      const [item] = items;
      if (item === undefined || !mayServe(merchantId)) continue;
      this.merchants.delete(merchantId);
      items.delete(item);
      if (items.size > 0) this.merchants.set(merchantId, items);
      return item;
    }
    return null;
  }
}
