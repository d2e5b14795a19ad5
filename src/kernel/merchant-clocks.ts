import type { Clock } from './clock';
import type { Universe } from './event';

/**
 * The wall's clock, and the clocks of merchants: in `test` each has one of its own, which ticks as the wall's does and
 * is ahead of it by what it was advanced. Elsewhere, and where there is no merchant, it is the wall's. Expiries,
 * cool-downs, grace periods and retries go by the merchant's clock; what the outside checks goes by the wall's.
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
