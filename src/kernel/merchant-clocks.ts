import type { Clock } from './clock';
import type { Universe } from './event';

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
