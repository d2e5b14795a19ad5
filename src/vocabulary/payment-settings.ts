import type { PaymentLimits } from './payment-limits';
import type { SettingsFacts } from './settings-facts';
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

/** The account's facts that a new payment needs, out of its settings of the mode. */
export function paymentSettings({
  settings,
  isPaused,
  limits,
}: {
  readonly settings: SettingsFacts;
  readonly isPaused: boolean;
  readonly limits: PaymentLimits;
}): PaymentSettings {
  const { enabled_tokens: enabledTokens, default_success_url: defaultSuccessUrl } = settings;
  return { enabledTokens, defaultSuccessUrl, isPaused, limits };
}
