import type { Clock } from '../../../src/kernel/clock';
import { currencyDecimals } from '../../../src/vocabulary/currencies';
import { quoteRate } from '../../../src/modules/quotes/quote-rate';
import { FixedSource } from '../../../src/platform/rates/fixed-source';

const clock: Clock = { now: () => 1_793_534_400_000, wait: () => Promise.resolve() };

test('two legs of two families agree on every currency, for both tokens, at any later time', async () => {
  const legs = (['sandbox-a', 'sandbox-b'] as const).map(name => new FixedSource(name, clock));
  const observations = (await Promise.all(legs.map(leg => leg.observe()))).flat();
  const freshForMs = (name: string): number => legs.find(leg => leg.name === name)?.freshForMs ?? 0;
  const currencies = legs[0]?.currencies ?? [];
  expect(currencies.length).toBeGreaterThanOrEqual(20);
  for (const currency of currencies) {
    expect(currencyDecimals(currency)).not.toBeNull();
    for (const asset of ['USDT', 'USDC'] as const) {
      const years = 10 * 365 * 86_400_000;
      const { observations: used } = quoteRate(observations, asset, currency, freshForMs, clock.now() + years);
      expect(used.map(each => each.source)).toEqual(['sandbox-a', 'sandbox-b']);
      expect(used[0]?.rate).not.toBe(used[1]?.rate);
    }
  }
});
