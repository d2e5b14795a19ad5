import { ClaimTurns, type WaitingClaim } from './claim-turns';
import { SweptClaims } from './swept-claims';

export type { WaitingClaim } from './claim-turns';

/** Of one merchant on one network, and merchants, that wait in memory; others are found in the list of all claims. */
const MOST_OF_MERCHANT = 50;
const MOST_MERCHANTS = 1_000;
/** After so many fresh claims a swept one has its turn, so that fresh ones without end do not keep it out for good. */
const FRESH_IN_A_ROW = 7;

/** A network of a mode. `swept` were looked at before, or found no room among the fresh ones. */
type Place = { readonly fresh: ClaimTurns; readonly swept: SweptClaims; freshInARow: number };

/** Claims whose transaction is to be looked at: by network, fresh ones first, and there in turns between merchants. */
export class WaitingClaims {
  private readonly places = new Map<string, Place>();
  private isMissing = true;

  /** Modes' networks that have claims. */
  get waitingPlaces(): readonly string[] {
    return [...this.places].filter(([, { fresh, swept }]) => fresh.size + swept.turns.size > 0).map(([name]) => name);
  }

  put(claim: WaitingClaim): void {
    const { fresh, swept } = this.place(placeOf(claim));
    const ofMerchant = fresh.countOf(claim.merchantId);
    if (ofMerchant >= MOST_OF_MERCHANT || (ofMerchant === 0 && fresh.merchantCount >= MOST_MERCHANTS)) {
      this.isMissing ||= !fresh.has(claim);
      return;
    }
    swept.turns.remove(claim);
    fresh.put(claim);
  }

  /** A claim that a sweep meets at this position of the list; without effect where there is no room for it. */
  offer(claim: WaitingClaim, position: string): void {
    const { fresh, swept } = this.place(placeOf(claim));
    if (!fresh.has(claim)) swept.offer(claim, position);
  }

  endSweep(): void {
    for (const { swept } of this.places.values()) swept.endSweep();
  }

  /** Whose turn it is; null where none waits. */
  first(place: string): WaitingClaim | null {
    const waiting = this.places.get(place);
    if (!waiting) return null;
    const [fresh, swept] = [waiting.fresh.first(), waiting.swept.turns.first()];
    return waiting.freshInARow >= FRESH_IN_A_ROW ? (swept ?? fresh) : (fresh ?? swept);
  }

  /** Its merchant's others come after those of all other merchants. */
  remove(claim: WaitingClaim): void {
    const place = this.place(placeOf(claim));
    place.freshInARow = place.fresh.has(claim) ? place.freshInARow + 1 : 0;
    place.fresh.remove(claim);
    place.swept.turns.remove(claim);
  }

  /** Comes after all others of its kind. */
  postpone(claim: WaitingClaim): void {
    const { fresh, swept } = this.place(placeOf(claim));
    fresh.postpone(claim);
    for (const own of swept.turns.of(claim.merchantId))
      if (own.claimsId === claim.claimsId && own.paymentIntent === claim.paymentIntent) swept.turns.postpone(own);
  }

  /** Whether claims were left out since this was asked last; at first, those of before the start. */
  takeMissing(): boolean {
    const { isMissing } = this;
    this.isMissing = false;
    return isMissing;
  }

  /** There are as many as modes and networks, so none is removed. */
  private place(name: string): Place {
    const place = this.places.get(name) ?? { fresh: new ClaimTurns(), swept: new SweptClaims(), freshInARow: 0 };
    this.places.set(name, place);
    return place;
  }
}

function placeOf({ mode, claimsId }: WaitingClaim): string {
  return `${mode}:${claimsId.slice(0, claimsId.indexOf(':'))}`;
}
