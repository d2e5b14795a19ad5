import { CURRENCY_CODE, currencyDecimals } from '../../vocabulary/currencies';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { TOKENS, type Token, type TokenId } from '../../vocabulary/tokens';
import { dollarMinorUnits, priceBaseUnits } from './price';
import { PEG_CURRENCY, type QuotedRate } from './quote-rate';
import type { Rates } from './rate-book';

const CEILING_CURRENCY_DECIMALS = 2;

export type FiatAmount = {
  readonly mode: Mode;
  readonly currency: string;
  readonly amountMinorUnits: bigint;
  readonly enabledTokens: readonly TokenId[];
  readonly ceilingUsdMinorUnits: bigint;
};

/**
 * A code's decimals. Throws Refusal invalid_currency for another form than ABC, currency_not_supported for a code that
 * ISO 4217 does not list.
 */
export function requireCurrency(code: string): number {
  if (!CURRENCY_CODE.test(code)) throw refuse('invalid_currency', { param: 'currency' });
  const decimals = currencyDecimals(code);
  if (decimals === null) throw refuse('currency_not_supported', { param: 'currency' });
  return decimals;
}

/**
 * Checks that an amount can be asked for now, in at least one enabled token. Answers the currency's decimals. Throws
 * Refusal, in this order: invalid_currency, currency_not_supported, amount_too_small (not positive),
 * currency_not_quotable, amount_too_large (above the ceiling), amount_too_small (below the floor of every enabled
 * token).
 */
export function assertQuotable(rates: Rates, amount: FiatAmount): number {
  const decimals = requireCurrency(amount.currency);
  if (!rates.isListed(amount.mode, amount.currency)) throw refuse('currency_not_supported', { param: 'currency' });
  if (amount.amountMinorUnits <= 0n) throw refuse('amount_too_small', { param: 'amount' });
  const prices = pricesOf(rates, amount, decimals);
  if (prices.length === 0) throw refuse('currency_not_quotable', { param: 'currency' });
  if (prices.some(({ price, ceiling }) => price > ceiling)) throw refuse('amount_too_large', { param: 'amount' });
  if (prices.every(({ token, price }) => price < token.floorBaseUnits)) {
    throw refuse('amount_too_small', { param: 'amount' });
  }
  return decimals;
}

/** The amount in dollar cents, by the rate of the enabled token in which it is worth most. */
export function dollarsOf(rates: Rates, amount: Omit<FiatAmount, 'ceilingUsdMinorUnits'>): bigint {
  if (amount.currency === PEG_CURRENCY) return amount.amountMinorUnits;
  const decimals = requireCurrency(amount.currency);
  const worths = amount.enabledTokens.map(id => {
    const token = TOKENS[id];
    const rate = quoteOrNull(rates, amount.mode, token, amount.currency);
    if (rate === null) return 0n;
    const price = priceBaseUnits(amount.amountMinorUnits, decimals, rate.rate, token.decimals);
    return dollarMinorUnits(price, rate.dollarRate, token.decimals);
  });
  return worths.reduce((most, worth) => (worth > most ? worth : most), 0n);
}

type Price = { readonly price: bigint; readonly ceiling: bigint };

/** The amount and the ceiling in each enabled token that can be quoted now. */
function pricesOf(rates: Rates, amount: FiatAmount, decimals: number): readonly (Price & { readonly token: Token })[] {
  // An asset has one price on all networks where it has the same decimals.
  const known = new Map<string, Price | null>();
  return amount.enabledTokens.flatMap(id => {
    const token = TOKENS[id];
    const unit = `${token.asset}/${token.decimals}`;
    const price = known.get(unit) ?? priceOf(rates, amount, decimals, token);
    known.set(unit, price);
    return price === null ? [] : [{ token, ...price }];
  });
}

function priceOf(rates: Rates, amount: FiatAmount, decimals: number, token: Token): Price | null {
  const rate = quoteOrNull(rates, amount.mode, token, amount.currency);
  if (rate === null) return null;
  const price = priceBaseUnits(amount.amountMinorUnits, decimals, rate.rate, token.decimals);
  const dollars = [amount.ceilingUsdMinorUnits, CEILING_CURRENCY_DECIMALS, rate.dollarRate, token.decimals] as const;
  return { price, ceiling: priceBaseUnits(...dollars) };
}

/** Null where sources are too few or too far apart; any other failure is a defect and is thrown. */
export function quoteOrNull(rates: Rates, mode: Mode, token: Token, currency: string): QuotedRate | null {
  try {
    return rates.quote(mode, token.asset, currency);
  } catch (error) {
    if (isRefusal(error, 'insufficient_rate_sources') || isRefusal(error, 'rate_divergence')) return null;
    throw error;
  }
}
