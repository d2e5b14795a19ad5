import type { Mode } from '../../kernel/event';

/** Of one merchant on one network, and merchants, that wait in memory; others are found in the list of all claims. */
const MOST_OF_MERCHANT = 50;
const MOST_MERCHANTS = 1_000;

export type WaitingClaim = {
  readonly mode: Mode;
  readonly merchantId: string;
  /** Begins with the network. */
  readonly claimsId: string;
  readonly paymentIntent: string;
};

type OfMerchant = Map<string, WaitingClaim>;

/** Claims whose transaction is to be looked at: by network, and there in turns between merchants. */
export class WaitingClaims {
  private readonly places = new Map<string, Map<string, OfMerchant>>();
  private isMissing = true;

  /** Modes' networks that have claims. */
  get waitingPlaces(): readonly string[] {
    return [...this.places.keys()];
  }

  put(claim: WaitingClaim): void {
    const place = placeOf(claim);
    const merchants = this.places.get(place) ?? new Map<string, OfMerchant>();
    const own = merchants.get(claim.merchantId) ?? new Map<string, WaitingClaim>();
    if (own.size >= MOST_OF_MERCHANT || (own.size === 0 && merchants.size >= MOST_MERCHANTS)) {
      this.isMissing ||= !own.has(idOf(claim));
      return;
    }
    own.set(idOf(claim), claim);
    this.places.set(place, merchants.set(claim.merchantId, own));
  }

  /** Whose turn it is; null where none waits. */
  first(place: string): WaitingClaim | null {
    for (const own of this.places.get(place)?.values() ?? []) for (const claim of own.values()) return claim;
    return null;
  }

  /** Its merchant's others come after those of all other merchants. */
  remove(claim: WaitingClaim): void {
    const merchants = this.places.get(placeOf(claim));
    const own = merchants?.get(claim.merchantId);
    if (!merchants || !own) return;
    own.delete(idOf(claim));
    merchants.delete(claim.merchantId);
    if (own.size > 0) merchants.set(claim.merchantId, own);
    if (merchants.size === 0) this.places.delete(placeOf(claim));
  }

  /** Whether claims were left out since this was asked last; at first, those of before the start. */
  takeMissing(): boolean {
    const { isMissing } = this;
    this.isMissing = false;
    return isMissing;
  }
}

function placeOf({ mode, claimsId }: WaitingClaim): string {
  return `${mode}:${claimsId.slice(0, claimsId.indexOf(':'))}`;
}

function idOf({ claimsId, paymentIntent }: WaitingClaim): string {
  return `${claimsId} ${paymentIntent}`;
}
