import { currencyDecimals, moneyText } from '../../src/vocabulary/currencies';

test.each([
  ['JPY', 0], ['KRW', 0], ['CLP', 0], ['UYI', 0], ['XAF', 0], ['USD', 2], ['EUR', 2], ['HUF', 2], ['TWD', 2], ['ZWG', 2],
  ['KWD', 3], ['BHD', 3], ['TND', 3], ['IQD', 3], ['CLF', 4], ['UYW', 4],
])('%s has %i decimals', (code, decimals) => {
  expect(currencyDecimals(code)).toBe(decimals);
}); // prettier-ignore

test.each(['usd', 'XAU', 'XXX', 'XTS', 'DEM', 'BTC', 'USDT', '', ' EUR', '__proto__', 'constructor'])(
  '%j is no active currency',
  code => {
    expect(currencyDecimals(code)).toBeNull();
  },
);

test('lacks of what the runtime knows only what ISO 4217 has withdrawn or gives no exponent', () => {
  const withdrawn = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];
  const withoutExponent = ['XDR', 'XSU', 'XUA'];
  const left = Intl.supportedValuesOf('currency').filter(code => currencyDecimals(code) === null);
  expect(left.filter(code => ![...withdrawn, ...withoutExponent].includes(code))).toEqual([]);
});

test.each([
  ['2550', 'EUR', '25.50 EUR'],
  ['-120', 'USD', '-1.20 USD'],
  ['7', 'KWD', '0.007 KWD'],
  ['500', 'JPY', '500 JPY'],
  ['5', 'XAU', '5 minor units of XAU'],
])('tells %s of %s as %s', (minorUnits, currency, told) => {
  expect(moneyText(minorUnits, currency)).toBe(told);
});
