import type { PaymentLimits } from './payment-limits';
import type { TokenId } from './tokens';

/** The facts of an account that a new payment needs, as of one request. */
export type PaymentSettings = {
  readonly enabledTokens: readonly TokenId[];
  /** The page after checkout where nothing else names one; null: no page. */
  readonly defaultSuccessUrl: string | null;
  /** The account takes no new payments in this mode. */
  readonly isPaused: boolean;
  readonly limits: PaymentLimits;
};
