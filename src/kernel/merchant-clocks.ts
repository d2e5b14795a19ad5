import { isoTime, parseIsoTime, type Clock } from './clock';
import type { EventMetadata, Universe } from './event';

/**
 * The wall's clock, and the clocks of merchants. In `test` each merchant has a clock of its own, which ticks as the
 * wall's does. That clock is ahead of the wall's by the time that it was advanced. Elsewhere, and where there is no
 * merchant, the clock is the wall's. Expiries, cool-downs, grace periods and retries go by the merchant's clock; times
 * that outsiders check go by the wall's.
 */
export interface MerchantClocks extends Clock {
  /**
   * Now by the merchant's clock: what every command for the merchant carries. An advance that was answered anywhere
   * counts.
   */
  merchantNow(universe: Universe, merchantId: string | null): Promise<number>;
  /** What the merchant's clock showed at a moment of the wall's. */
  merchantTimeAt(universe: Universe, merchantId: string | null, wallMs: number): Promise<number>;
}

/** The name of a merchant's clock in test mode. */
export function clockOf(merchantId: string): string {
  return `test:${merchantId}`;
}

/** The name of the clock by which a merchant's deadlines fall due: `live`, or `test:{merchant}`. */
export function deadlineClock(universe: Universe, merchantId: string | null): string {
  return universe === 'test' && merchantId !== null ? clockOf(merchantId) : universe;
}

/**
 * A time of the event's clock by the wall's clock, as the two stood at the event: an advance since then brings it
 * nearer. A merchant's clock is never behind the wall's. Where it seems to be, the writing took that long.
 */
export function wallTime(at: string, { mode, occurred_at, recorded_at }: EventMetadata): string {
  if (mode !== 'test') return at;
  return isoTime(parseIsoTime(at) - Math.max(0, parseIsoTime(occurred_at) - parseIsoTime(recorded_at)));
}
