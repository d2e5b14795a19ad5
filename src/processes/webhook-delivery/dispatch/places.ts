import { invariant } from '../../../kernel/invariant';

/** Endpoints in doubt hold no more than one place in so many. */
export const DOUBTED_SHARE = 4;

type Held = { all: number; doubted: number };

/**
 * The attempts that may be under way at once. A merchant may take one more only while more places are free than it holds: so a few merchants
 * never hold all, and whoever holds none finds one. The same goes for the places that endpoints in doubt may hold.
 */
export class Places {
  private readonly held = new Map<string, Held>();
  private readonly total: Held = { all: 0, doubted: 0 };
  private readonly limit: Held;

  constructor(places: number) {
    this.limit = { all: places, doubted: Math.floor(places / DOUBTED_SHARE) };
  }

  mayTake(merchantId: string, isDoubted: boolean): boolean {
    const own = this.held.get(merchantId) ?? { all: 0, doubted: 0 };
    if (own.all >= this.limit.all - this.total.all) return false;
    return !isDoubted || own.doubted < this.limit.doubted - this.total.doubted;
  }

  take(merchantId: string, isDoubted: boolean): void {
    this.count(merchantId, 1, isDoubted ? 1 : 0);
  }

  release(merchantId: string, isDoubted: boolean): void {
    this.count(merchantId, -1, isDoubted ? -1 : 0);
  }

  /** An endpoint came into doubt, or out of it, while it held so many places. */
  move(merchantId: string, places: number, isDoubted: boolean): void {
    if (places > 0) this.count(merchantId, 0, isDoubted ? places : -places);
  }

  get underWay(): number {
    return this.total.all;
  }

  get doubted(): number {
    return this.total.doubted;
  }

  private count(merchantId: string, all: number, doubted: number): void {
    const own = this.held.get(merchantId) ?? { all: 0, doubted: 0 };
    for (const held of [own, this.total]) {
      held.all += all;
      held.doubted += doubted;
      invariant(held.doubted >= 0 && held.doubted <= held.all, 'a place is released once');
    }
    if (own.all > 0) this.held.set(merchantId, own);
    else this.held.delete(merchantId);
  }
}
