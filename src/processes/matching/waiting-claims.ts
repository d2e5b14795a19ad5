import type { Mode } from '../../kernel/event';

/** Of one merchant, and merchants, that wait in memory; what is beyond is found in the list of all claims. */
const MOST_OF_MERCHANT = 50;
const MOST_MERCHANTS = 1_000;

export type WaitingClaim = {
  readonly mode: Mode;
  readonly merchantId: string;
  readonly claimsId: string;
  readonly paymentIntent: string;
};

/** Claims whose transaction is to be looked at, in turns between merchants. */
export class WaitingClaims {
  private readonly merchants = new Map<string, Map<string, WaitingClaim>>();
  private isMissing = true;

  put(claim: WaitingClaim): void {
    const merchant = `${claim.mode}:${claim.merchantId}`;
    const own = this.merchants.get(merchant) ?? new Map<string, WaitingClaim>();
    const id = `${claim.claimsId} ${claim.paymentIntent}`;
    if (own.has(id)) return;
    const isFull = own.size >= MOST_OF_MERCHANT || (own.size === 0 && this.merchants.size >= MOST_MERCHANTS);
    if (isFull) this.isMissing = true;
    else this.merchants.set(merchant, own.set(id, claim));
  }

  /** The next one; its merchant's others come after those of all other merchants. Null where none waits. */
  next(): WaitingClaim | null {
    for (const [merchant, own] of this.merchants) {
      this.merchants.delete(merchant);
      for (const [id, claim] of own) {
        own.delete(id);
        if (own.size > 0) this.merchants.set(merchant, own);
        return claim;
      }
    }
    return null;
  }

  /** Whether claims were left out since this was asked last; at first, those of before the start. */
  takeMissing(): boolean {
    const { isMissing } = this;
    this.isMissing = false;
    return isMissing;
  }
}
