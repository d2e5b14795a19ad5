import { isoTime, parseIsoTime, type Clock } from './clock';
import type { EventMetadata } from './event';
import type { ClockStanding } from '../vocabulary/clock-standing';
import type { Universe } from '../vocabulary/modes';

/** The clock of a request's merchant, which the request has read; a CommandContext is one. */
export type KnownClock = {
  readonly universe: Universe;
  readonly merchantId: string | null;
  readonly clock?: ClockStanding;
};

/**
 * The wall's clock, and the clocks of merchants. In `test` each merchant has a clock of its own, which ticks as the
 * wall's does. That clock is ahead of the wall's by the time that it was advanced. In the other modes, and where there
 * is no merchant, the clock is the wall's. Expiries, cool-downs, grace periods and retries go by the merchant's clock;
 * times that outsiders check go by the wall's.
 */
export interface MerchantClocks extends Clock {
  /**
   * The time now by the merchant's clock: every command for the merchant carries it. An advance counts as soon as any
   * process has answered it. A known clock is not read again.
   */
  merchantNow(universe: Universe, merchantId: string | null, known?: KnownClock): Promise<number>;
  /** The time of the merchant's clock at a moment of the wall's clock. */
  merchantTimeAt(universe: Universe, merchantId: string | null, wallMs: number, known?: KnownClock): Promise<number>;
  /** The same of several merchants' clocks, in one round trip. */
  merchantTimesAt(
    universe: Universe,
    merchantIds: readonly string[],
    wallMs: number,
    known?: KnownClock,
  ): Promise<ReadonlyMap<string, number>>;
  /** The same facts with the merchant's clock read anew, for work after a wait. */
  renewed<Known extends KnownClock>(known: Known): Promise<Known>;
}

/**
 * Whether each merchant has a clock in that universe. Elsewhere the wall's clock is the only one, and nobody can
 * advance it.
 */
export function hasMerchantClocks(universe: Universe): boolean {
  return universe === 'test';
}

/** The name of a merchant's clock in test mode. */
export function clockOf(merchantId: string): string {
  return `test:${merchantId}`;
}

/** The name of the clock by which a merchant's deadlines fall due: `live`, or `test:{merchant}`. */
export function deadlineClock(universe: Universe, merchantId: string | null): string {
  return hasMerchantClocks(universe) && merchantId !== null ? clockOf(merchantId) : universe;
}

/**
 * A time of the event's clock by the wall's clock, as the two stood at the event. An advance since then brings the time
 * nearer. A merchant's clock is never behind the wall's; a difference that seems so is the time that the writing took.
 */
export function wallTime(at: string, { mode, occurred_at, recorded_at }: EventMetadata): string {
  if (!hasMerchantClocks(mode)) return at;
  return isoTime(parseIsoTime(at) - Math.max(0, parseIsoTime(occurred_at) - parseIsoTime(recorded_at)));
}
