import { NamingTurns, type WaitingNaming } from './naming-turns';
import { SweptNamings } from './swept-namings';

export type { WaitingNaming } from './naming-turns';

/** Fresh namings of one merchant on one network in memory. A sweep of the list of all namings finds the others. */
const MOST_OF_MERCHANT = 50;
/** Merchants with fresh namings on one network in memory. */
const MOST_MERCHANTS = 1_000;
/** After so many fresh namings a swept one has its turn, so that fresh ones without end do not keep it out for good. */
const FRESH_IN_A_ROW = 7;

/** A network of a mode. The `swept` ones were looked at before, or found no room among the fresh ones. */
type Place = { readonly fresh: NamingTurns; readonly swept: SweptNamings; freshInARow: number };

/** Namings whose transaction is to be looked at: by network, fresh ones first, and there in turns between merchants. */
export class WaitingNamings {
  private readonly places = new Map<string, Place>();
  private isMissing = true;

  /** The networks of modes that have namings. */
  get waitingPlaces(): readonly string[] {
    return [...this.places].filter(([, { fresh, swept }]) => fresh.size + swept.turns.size > 0).map(([name]) => name);
  }

  put(naming: WaitingNaming): void {
    const { fresh, swept } = this.place(placeOf(naming));
    const ofMerchant = fresh.countOf(naming.merchantId);
    if (ofMerchant >= MOST_OF_MERCHANT || (ofMerchant === 0 && fresh.merchantCount >= MOST_MERCHANTS)) {
      this.isMissing ||= !fresh.has(naming);
      return;
    }
    swept.turns.remove(naming);
    fresh.put(naming);
  }

  /** Takes in a naming that a sweep meets at this position of the list; without effect where there is no room. */
  offer(naming: WaitingNaming, position: string): void {
    const { fresh, swept } = this.place(placeOf(naming));
    if (!fresh.has(naming)) swept.offer(naming, position);
  }

  endSweep(): void {
    for (const { swept } of this.places.values()) swept.endSweep();
  }

  /** The naming whose turn it is; null where none waits. */
  first(place: string): WaitingNaming | null {
    const waiting = this.places.get(place);
    if (!waiting) return null;
    const [fresh, swept] = [waiting.fresh.first(), waiting.swept.turns.first()];
    return waiting.freshInARow >= FRESH_IN_A_ROW ? (swept ?? fresh) : (fresh ?? swept);
  }

  /** The other namings of its merchant come after those of all other merchants. */
  remove(naming: WaitingNaming): void {
    const place = this.place(placeOf(naming));
    place.freshInARow = place.fresh.has(naming) ? place.freshInARow + 1 : 0;
    place.fresh.remove(naming);
    place.swept.turns.remove(naming);
  }

  /** The naming comes after all others of its kind. */
  postpone(naming: WaitingNaming): void {
    const { fresh, swept } = this.place(placeOf(naming));
    fresh.postpone(naming);
    for (const own of swept.turns.of(naming.merchantId))
      if (own.namingsId === naming.namingsId && own.paymentIntent === naming.paymentIntent) swept.turns.postpone(own);
  }

  /** Whether namings were left out since the last such question; at first, the namings from before the start. */
  takeMissing(): boolean {
    const { isMissing } = this;
    this.isMissing = false;
    return isMissing;
  }

  /** The map has as many places as modes and networks, so none is removed. */
  private place(name: string): Place {
    const place = this.places.get(name) ?? { fresh: new NamingTurns(), swept: new SweptNamings(), freshInARow: 0 };
    this.places.set(name, place);
    return place;
  }
}

function placeOf({ mode, namingsId }: WaitingNaming): string {
  return `${mode}:${namingsId.slice(0, namingsId.indexOf(':'))}`;
}
