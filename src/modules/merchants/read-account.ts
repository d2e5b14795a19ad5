import type { Document } from '../../kernel/ports/documents';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import type { MethodTerms } from '../../vocabulary/method-terms';
import type { PaymentLimits } from '../../vocabulary/payment-limits';
import { paymentSettings, type PaymentSettings } from '../../vocabulary/payment-settings';
import { velocityAsked, velocityOf, type VelocityLimitDocument } from '../controls/velocity-limits.read-model';
import type { Mode } from '../../vocabulary/modes';
import {
  killSwitchAsked,
  stoppedTokens,
  TOKEN_SWITCHES_ASKED,
  type KillSwitchDocument,
} from '../kill-switches/kill-switches.read-model';
import type { SettingsFacts } from '../../vocabulary/settings-facts';
import { sandboxClockAsked, standingOf, type SandboxClockDocument } from '../sandbox/sandbox-clocks.read-model';
import { settingsAsked, settingsOf, type MerchantSettingsDocument } from './merchant-settings.read-model';
import { isPaused, type MerchantDocument } from './merchants.read-model';

export type Account = {
  readonly merchant: MerchantDocument;
  readonly settings: SettingsFacts;
  /** Null where the merchant was never stopped. */
  readonly killSwitch: KillSwitchDocument | null;
  readonly limits: PaymentLimits;
  /** The account's own clock in the mode. */
  readonly clock: ClockStanding;
};

/** An account with its facts for a choice of method. */
export type AccountWithMethods = Account & { readonly methods: MethodTerms };

/** The account of a merchant in one mode, as of one request. */
export type AccountNow = {
  readonly account: AccountWithMethods;
  /** The time by the account's clock. */
  readonly nowMs: number;
};

type AccountDocuments = readonly [
  clock: Document<SandboxClockDocument> | null,
  merchant: Document<MerchantDocument> | null,
  own: Document<MerchantSettingsDocument> | null,
  killSwitch: Document<KillSwitchDocument> | null,
  velocity: Document<VelocityLimitDocument> | null,
  walletVelocity: Document<VelocityLimitDocument> | null,
  ...switches: (Document<KillSwitchDocument> | null)[],
];

/**
 * The documents that say what time it is by an account's clock, whether it takes payments in a mode, and on which
 * settings. Where `asksMethods`, also those that say by which methods: few requests need them.
 */
export function accountAsked(mode: Mode, merchantId: string, asksMethods: boolean) {
  return [
    sandboxClockAsked(mode, merchantId),
    ...settingsAsked(mode, merchantId),
    killSwitchAsked('merchant', merchantId),
    velocityAsked('merchant'),
    asksMethods ? velocityAsked('wallet') : null,
    ...(asksMethods ? TOKEN_SWITCHES_ASKED : []),
  ] as const;
}

/** The account that these documents tell of; null for an unknown one. */
export function accountOf([clock, merchant, own, killSwitch, velocity]: AccountDocuments): Account | null {
  if (!merchant) return null;
  return {
    merchant: merchant.body,
    settings: settingsOf(merchant.body, own?.body),
    killSwitch: killSwitch?.body ?? null,
    limits: {
      ceilingUsdMinorUnits: BigInt(merchant.body.payment_ceiling_usd_minor_units),
      velocity: velocityOf(velocity?.body),
    },
    clock: standingOf(clock),
  };
}

/** The same with the facts for a choice of method, from documents that were asked for with those of methods. */
export function accountWithMethods(mode: Mode, documents: AccountDocuments): AccountWithMethods | null {
  const account = accountOf(documents);
  return account && { ...account, methods: methodTermsOf(mode, account, documents) };
}

/** The account's facts for a choice of method, from documents that were asked for with those of methods. */
export function methodTermsOf(
  mode: Mode,
  { settings }: Account,
  [, , , , , walletVelocity, ...switches]: AccountDocuments,
): MethodTerms {
  return {
    enabledTokens: settings.enabled_tokens,
    stoppedTokens: stoppedTokens(switches, mode),
    toleranceBps: settings.payment_tolerance_bps,
    walletVelocity: velocityOf(walletVelocity?.body),
  };
}

/** The facts of an account that a new payment needs at this moment. */
export function paymentSettingsOf(account: Account, mode: Mode, nowMs: number): PaymentSettings {
  return paymentSettings({ ...account, isPaused: isPaused(account, mode, nowMs) });
}
