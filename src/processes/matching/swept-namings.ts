import { BoundedMap } from '../../kernel/bounded-map';
import { NamingTurns, type WaitingNaming } from './naming-turns';

/** Namings of one network: as many as its budget looks at between two sweeps. */
const MOST_NAMINGS = 600;
/** Merchants whose place in the list is remembered; beyond them, the oldest begins at the list's start again. */
const MOST_MARKS = 10_000;

/** `position` orders the list of all namings. */
type SweptNaming = WaitingNaming & { readonly position: string };

/** A merchant's namings were taken up to this position. `isTaken` says whether the naming at it is among them. */
type Mark = { readonly position: string; readonly isTaken: boolean };

/**
 * Pending namings of one network that a sweep over the list of all namings brings. Each merchant has an equal share of
 * the room. A later sweep goes on where a merchant's share ended.
 */
export class SweptNamings {
  readonly turns = new NamingTurns<SweptNaming>();
  private readonly marks = new BoundedMap<string, Mark>(MOST_MARKS);
  /** Merchants from whom this sweep takes no more. */
  private readonly ended = new Set<string>();
  /** Whether a merchant had no share at all. */
  private isCrowded = false;

  /** The caller offers the namings in the order of their positions. */
  offer(naming: WaitingNaming, position: string): void {
    const { merchantId } = naming;
    if (this.ended.has(merchantId) || this.isBeforeMark(merchantId, position)) return;
    if (!this.turns.has(naming)) {
      if (this.turns.size >= MOST_NAMINGS && !this.makeRoomFor(merchantId)) {
        this.isCrowded ||= this.turns.countOf(merchantId) === 0;
        this.end(merchantId);
        return;
      }
      this.turns.put({ ...naming, position });
    }
    this.marks.set(merchantId, { position, isTaken: true });
  }

  /** The caller says here that the sweep has come to the end of the list. */
  endSweep(): void {
    // Where merchants were left out, the merchants that had a share give way to them.
    const isRoundOver = !this.isCrowded;
    for (const [merchantId] of isRoundOver ? [...this.marks] : [])
      if (!this.ended.has(merchantId)) this.marks.delete(merchantId);
    this.ended.clear();
    this.isCrowded = false;
  }

  private isBeforeMark(merchantId: string, position: string): boolean {
    const mark = this.marks.get(merchantId);
    if (mark === undefined) return false;
    return position < mark.position || (position === mark.position && mark.isTaken);
  }

  /** Takes the newest naming from the merchant with the most; false where the shares are equal. */
  private makeRoomFor(merchantId: string): boolean {
    const largest = this.turns.largest();
    if (largest === null || this.turns.countOf(largest) <= this.turns.countOf(merchantId) + 1) return false;
    const newest = this.turns.of(largest).reduce((one, other) => (other.position > one.position ? other : one));
    this.turns.remove(newest);
    this.marks.set(largest, { position: newest.position, isTaken: false });
    this.end(largest);
    return true;
  }

  private end(merchantId: string): void {
    if (this.ended.size < MOST_MARKS) this.ended.add(merchantId);
  }
}
