import type { KnownClock, MerchantClocks } from '../../src/kernel/merchant-clocks';

type Advance = { readonly atMs: number; readonly aheadMs: number };

/** A wall's clock that stands where a test puts it, and the clocks of merchants, ahead of it by their advances. */
export class ManualClock implements MerchantClocks {
  private readonly advances = new Map<string, readonly Advance[]>();

  constructor(public timeMs: number) {}

  now(): number {
    return this.timeMs;
  }

  wait(_delayMs: number): Promise<void> {
    return Promise.resolve();
  }

  merchantNow(universe: string, merchantId: string | null): Promise<number> {
    return this.merchantTimeAt(universe, merchantId, this.timeMs);
  }

  merchantTimeAt(universe: string, merchantId: string | null, wallMs: number): Promise<number> {
    return Promise.resolve(wallMs + (universe === 'test' ? this.aheadAt(merchantId, wallMs) : 0));
  }

  async merchantTimesAt(universe: string, merchantIds: readonly string[], wallMs: number) {
    const times = merchantIds.map(async id => [id, await this.merchantTimeAt(universe, id, wallMs)] as const);
    return new Map(await Promise.all(times));
  }

  renewed<Known extends KnownClock>({ clock: _, ...known }: Known): Promise<Known> {
    return Promise.resolve(known as Known);
  }

  advance(merchantId: string, byMs: number): void {
    const advance = { atMs: this.timeMs, aheadMs: this.aheadAt(merchantId) + byMs };
    this.advances.set(merchantId, [...(this.advances.get(merchantId) ?? []), advance]);
  }

  aheadAt(merchantId: string | null, wallMs = this.timeMs): number {
    const advances = this.advances.get(merchantId ?? '') ?? [];
    return advances.findLast(({ atMs }) => atMs <= wallMs)?.aheadMs ?? 0;
  }
}
