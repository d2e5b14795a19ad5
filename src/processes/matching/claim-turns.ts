import type { Mode } from '../../kernel/event';

export type WaitingClaim = {
  readonly mode: Mode;
  readonly merchantId: string;
  /** Begins with the network. */
  readonly claimsId: string;
  readonly paymentIntent: string;
};

/** Claims on transactions of one network, in turns between their merchants. */
export class ClaimTurns<Claim extends WaitingClaim = WaitingClaim> {
  private readonly merchants = new Map<string, Map<string, Claim>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  get merchantCount(): number {
    return this.merchants.size;
  }

  /** The claims of one merchant, the next one first. */
  of(merchantId: string): readonly Claim[] {
    return [...(this.merchants.get(merchantId)?.values() ?? [])];
  }

  countOf(merchantId: string): number {
    return this.merchants.get(merchantId)?.size ?? 0;
  }

  has(claim: WaitingClaim): boolean {
    return this.merchants.get(claim.merchantId)?.has(idOf(claim)) ?? false;
  }

  put(claim: Claim): void {
    const own = this.merchants.get(claim.merchantId) ?? new Map<string, Claim>();
    if (!own.has(idOf(claim))) this.count += 1;
    this.merchants.set(claim.merchantId, own.set(idOf(claim), claim));
  }

  /** The claim whose turn it is; null where none waits. */
  first(): Claim | null {
    for (const own of this.merchants.values()) for (const claim of own.values()) return claim;
    return null;
  }

  /** The merchant's other claims come after those of all other merchants. */
  remove(claim: WaitingClaim): void {
    const own = this.merchants.get(claim.merchantId);
    if (!own?.delete(idOf(claim))) return;
    this.count -= 1;
    this.merchants.delete(claim.merchantId);
    if (own.size > 0) this.merchants.set(claim.merchantId, own);
  }

  /** The claim comes after all others. */
  postpone(claim: Claim): void {
    if (!this.has(claim)) return;
    this.remove(claim);
    this.put(claim);
  }

  /** The merchant with the most claims; null where none waits. */
  largest(): string | null {
    let found: string | null = null;
    for (const [merchantId, own] of this.merchants)
      if (found === null || own.size > this.countOf(found)) found = merchantId;
    return found;
  }
}

function idOf({ claimsId, paymentIntent }: WaitingClaim): string {
  return `${claimsId} ${paymentIntent}`;
}
