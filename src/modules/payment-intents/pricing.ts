import type { Mode } from '../../kernel/event';

/** What creating a payment asks of the rates. */
export abstract class Pricing {
  /**
   * The exponent of a currency in which this amount can be quoted now. Throws Refusal invalid_currency, currency_not_supported,
   * currency_not_quotable, amount_too_small or amount_too_large.
   */
  abstract currencyDecimals(mode: Mode, amountMinorUnits: bigint, currency: string): number;
}
