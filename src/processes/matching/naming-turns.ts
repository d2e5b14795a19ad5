import type { Mode } from '../../vocabulary/modes';

export type WaitingNaming = {
  readonly mode: Mode;
  readonly merchantId: string;
  /** The id begins with the network. */
  readonly namingsId: string;
  readonly paymentIntent: string;
};

/** Namings on transactions of one network. Their merchants take turns. */
export class NamingTurns<Waiting extends WaitingNaming = WaitingNaming> {
  private readonly merchants = new Map<string, Map<string, Waiting>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  get merchantCount(): number {
    return this.merchants.size;
  }

  /** The namings of one merchant, the next one first. */
  of(merchantId: string): readonly Waiting[] {
    return [...(this.merchants.get(merchantId)?.values() ?? [])];
  }

  countOf(merchantId: string): number {
    return this.merchants.get(merchantId)?.size ?? 0;
  }

  has(naming: WaitingNaming): boolean {
    return this.merchants.get(naming.merchantId)?.has(idOf(naming)) ?? false;
  }

  put(naming: Waiting): void {
    const own = this.merchants.get(naming.merchantId) ?? new Map<string, Waiting>();
    if (!own.has(idOf(naming))) this.count += 1;
    this.merchants.set(naming.merchantId, own.set(idOf(naming), naming));
  }

  /** The naming whose turn it is; null where none waits. */
  first(): Waiting | null {
    for (const own of this.merchants.values()) for (const naming of own.values()) return naming;
    return null;
  }

  /** The merchant's other namings come after those of all other merchants. */
  remove(naming: WaitingNaming): void {
    const own = this.merchants.get(naming.merchantId);
    if (!own?.delete(idOf(naming))) return;
    this.count -= 1;
    this.merchants.delete(naming.merchantId);
    if (own.size > 0) this.merchants.set(naming.merchantId, own);
  }

  /** The naming comes after all others. */
  postpone(naming: Waiting): void {
    if (!this.has(naming)) return;
    this.remove(naming);
    this.put(naming);
  }

  /** The merchant with the most namings; null where none waits. */
  largest(): string | null {
    let found: string | null = null;
    for (const [merchantId, own] of this.merchants)
      if (found === null || own.size > this.countOf(found)) found = merchantId;
    return found;
  }
}

function idOf({ namingsId, paymentIntent }: WaitingNaming): string {
  return `${namingsId} ${paymentIntent}`;
}
