import { refuse, type ErrorCode } from '../../../src/vocabulary/errors';
import type { Asset } from '../../../src/vocabulary/tokens';
import { TOKEN_IDS, type TokenId } from '../../../src/vocabulary/tokens';
import { exchangeRates } from '../../../src/modules/quotes/exchange-rates';
import { assertQuotable } from '../../../src/modules/quotes/quotable';
import type { Rates } from '../../../src/modules/quotes/rate-book';
import { DEFAULT_CEILING_USD_MINOR_UNITS } from '../../../src/vocabulary/payment-limits';

/** Rates by `USDT/EUR`; a code in place of a rate is how the quote is refused. */
function ratesOf(table: Readonly<Record<string, string>>): Rates {
  return {
    listedCurrencies: () => ['EUR', 'JPY', 'KWD', 'USD'],
    isListed: (_, currency) => ['EUR', 'JPY', 'KWD', 'USD'].includes(currency),
    quote: (_, asset: Asset, currency) => {
      const rate = table[`${asset}/${currency}`] ?? 'insufficient_rate_sources';
      const dollarRate = table[`${asset}/USD`] ?? '1';
      for (const each of [rate, dollarRate]) if (!/^\d/.test(each)) throw refuse(each as ErrorCode);
      const observation = { asset, currency, rate, observed_at: '2026-11-01T12:00:00.000Z' };
      return { rate, dollarRate, observations: ['a', 'b'].map(source => ({ ...observation, source, family: source })) };
    },
  };
}

const table = {
  'USDT/USD': '1', 'USDT/EUR': '1.08', 'USDT/JPY': '0.0066', 'USDT/KWD': '3.25',
  'USDC/USD': '1', 'USDC/EUR': '1.08', 'USDC/JPY': '0.0066', 'USDC/KWD': '3.25',
}; // prettier-ignore

type Case = {
  currency?: string;
  amount?: bigint;
  tokens?: readonly TokenId[];
  rates?: Readonly<Record<string, string>>;
};

function check({ currency = 'EUR', amount = 2_500n, tokens = TOKEN_IDS, rates = table }: Case): number {
  return assertQuotable(ratesOf(rates), {
    mode: 'live',
    currency,
    amountMinorUnits: amount,
    enabledTokens: tokens,
    ceilingUsdMinorUnits: DEFAULT_CEILING_USD_MINOR_UNITS,
  });
}

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
])('%s is quotable and has %i decimals', (currency, decimals) => {
  expect(check({ currency, amount: 10_000n })).toBe(decimals);
});

test.each<[string, Case, ErrorCode]>([
  ['lower case, before anything else', { currency: 'eur', amount: 0n }, 'invalid_currency'],
  ['four letters', { currency: 'EURO' }, 'invalid_currency'],
  ['no currency of ISO 4217', { currency: 'XYZ', amount: 0n }, 'currency_not_supported'],
  ['a currency that is not listed', { currency: 'GBP', amount: 0n }, 'currency_not_supported'],
  ['zero, before the rates', { amount: 0n, rates: {} }, 'amount_too_small'],
  ['a negative amount', { amount: -1n }, 'amount_too_small'],
  ['no rates, before the bounds', { amount: 10n ** 30n, rates: {} }, 'currency_not_quotable'],
  ['no rate of the enabled token', { tokens: ['usdc-base'], rates: { ...table, 'USDC/EUR': 'rate_divergence' } }, 'currency_not_quotable'],
  ['a token whose dollar rate is not known', { tokens: ['usdc-base'], rates: { ...table, 'USDC/USD': 'insufficient_rate_sources' } }, 'currency_not_quotable'],
  ['no token enabled', { tokens: [] }, 'currency_not_quotable'],
  ['a cent above the ceiling', { currency: 'USD', amount: 100_000_001n }, 'amount_too_large'],
  ['a yen above the ceiling', { currency: 'JPY', amount: 151_515_152n }, 'amount_too_large'],
  ['an endless amount', { amount: 10n ** 70n }, 'amount_too_large'],
  ['less than the lowest floor, 0.02 on base', { currency: 'USD', amount: 1n }, 'amount_too_small'],
  ['less than the floor of the one token enabled', { currency: 'USD', amount: 99n, tokens: ['usdt-tron'] }, 'amount_too_small'],
])('refuses %s', (_, each, code) => {
  expect(() => check(each)).toThrow(expect.objectContaining({ code }));
}); // prettier-ignore

test.each<[string, Case]>([
  ['the ceiling itself', { currency: 'USD', amount: 100_000_000n }],
  ['the last yen below the ceiling', { currency: 'JPY', amount: 151_515_151n }],
  ['the floor of base', { currency: 'USD', amount: 2n }],
  ['the floor of tron', { currency: 'USD', amount: 100n, tokens: ['usdt-tron'] }],
  ['one token of two with rates', { rates: { 'USDC/USD': '1', 'USDC/EUR': '1.08', 'USDT/EUR': 'rate_divergence' } }],
])('takes %s', (_, each) => {
  expect(check(each)).toBe(2 - (each.currency === 'JPY' ? 2 : 0));
});

test('a failure of another kind is not taken for a currency without rates', () => {
  expect(() => check({ rates: { 'USDT/EUR': 'internal_error' } })).toThrow(
    expect.objectContaining({ code: 'internal_error' }),
  );
});

describe('exchangeRates', () => {
  const row = (token_id: TokenId, rate: string): object => {
    return { token_id, rate, observed_at: '2026-11-01T12:00:00.000Z', sources: ['a', 'b'] };
  };

  test('lists every currency, without rates where a token has none now', () => {
    const rates = ratesOf({ 'USDT/EUR': '1.08', 'USDC/EUR': 'rate_divergence', 'USDC/KWD': '3.25' });
    expect(exchangeRates(rates, 'live', { currency: null, after: null, limit: 4 }).data).toEqual([
      { id: 'EUR', currency: 'EUR', currency_decimals: 2, rates: [row('usdt-tron', '1.08'), row('usdt-bnb', '1.08')] },
      { id: 'JPY', currency: 'JPY', currency_decimals: 0, rates: [] },
      { id: 'KWD', currency: 'KWD', currency_decimals: 3, rates: [row('usdc-base', '3.25')] },
      { id: 'USD', currency: 'USD', currency_decimals: 2, rates: [] },
    ]);
  });

  test('one currency alone, and none that is not listed', () => {
    const alone = (currency: string) => {
      const { hasMore, data } = exchangeRates(ratesOf(table), 'live', { currency, after: null, limit: 1 });
      return [hasMore, data.map(each => each.currency)];
    };
    expect(alone('JPY')).toEqual([false, ['JPY']]);
    expect(alone('GBP')).toEqual([false, []]);
  });
});
