import type { ClockStanding } from './clock-standing';
import type { MethodTerms } from './method-terms';
import type { Mode } from './modes';
import type { PaymentSettings } from './payment-settings';

/** The merchant's facts by which a customer's form is worked off, as of one request. No page shows them. */
export type CustomerTerms = {
  readonly mode: Mode;
  readonly merchantId: string;
  /** The merchant's clock in the mode. */
  readonly clock: ClockStanding;
  /** The time by that clock. */
  readonly nowMs: number;
  readonly payments: PaymentSettings;
  readonly methods: MethodTerms;
  /** Whether the merchant lets customers start payments anew that have ended without money. */
  readonly allowsRestart: boolean;
  /** Countries whose customers begin no payment, by ISO 3166-1 alpha-2. */
  readonly blockedCountries: readonly string[];
};
