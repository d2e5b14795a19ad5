import type { AccessReader } from '../../kernel/access-reader';
import { refuse } from '../../vocabulary/errors';
import type { PaymentLimits } from '../../vocabulary/payment-limits';
import { velocityAsked, velocityOf, type VelocityLimitDocument } from '../controls/velocity-limits.read-model';
import type { PaymentSettings } from '../../vocabulary/payment-settings';
import type { Mode } from '../../vocabulary/modes';
import { killSwitchAsked, type KillSwitchDocument } from '../kill-switches/kill-switches.read-model';
import type { SettingsFacts } from '../../vocabulary/settings-facts';
import { settingsAsked, settingsOf } from './merchant-settings.read-model';
import { isPaused, type MerchantDocument } from './merchants.read-model';

type Account = {
  readonly merchant: MerchantDocument;
  readonly settings: SettingsFacts;
  /** Null where the merchant was never stopped. */
  readonly killSwitch: KillSwitchDocument | null;
  readonly limits: PaymentLimits;
};

/** The documents that say whether an account takes new payments in a mode, and on which settings. */
export function accountAsked(mode: Mode, merchantId: string) {
  return [
    ...settingsAsked(mode, merchantId),
    killSwitchAsked('merchant', merchantId),
    velocityAsked('merchant'),
  ] as const;
}

/** The limits on the account's new payments. */
export function limitsOf(
  merchant: Pick<MerchantDocument, 'payment_ceiling_usd_minor_units'>,
  velocity: VelocityLimitDocument | null | undefined,
): PaymentLimits {
  const ceilingUsdMinorUnits = BigInt(merchant.payment_ceiling_usd_minor_units);
  return { ceilingUsdMinorUnits, velocity: velocityOf(velocity) };
}

/** The facts of an account that a new payment needs at this moment. */
export function paymentSettingsOf(account: Account, mode: Mode, nowMs: number): PaymentSettings {
  const { enabled_tokens: enabledTokens, default_success_url: defaultSuccessUrl } = account.settings;
  return { enabledTokens, defaultSuccessUrl, isPaused: isPaused(account, mode, nowMs), limits: account.limits };
}

/** An account at this moment, with its settings of the mode. Throws Refusal merchant_not_found. */
export async function readAccount(
  access: Pick<AccessReader, 'read'>,
  mode: Mode,
  merchantId: string,
): Promise<Account> {
  const [merchant, own, killSwitch, velocity] = await access.read(accountAsked(mode, merchantId));
  if (!merchant) throw refuse('merchant_not_found');
  const settings = settingsOf(merchant.body, own?.body);
  const limits = limitsOf(merchant.body, velocity?.body);
  return { merchant: merchant.body, settings, killSwitch: killSwitch?.body ?? null, limits };
}
