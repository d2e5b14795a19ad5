import fc from 'fast-check';
import { isoTime } from '../../../src/kernel/clock';
import type { RateObservation } from '../../../src/kernel/ports/rate-source';
import { freshSpan, oldestObservedAt, quoteRate } from '../../../src/modules/quotes/quote-rate';

const NOW_MS = 1_790_000_000_000;
const FRESH_MS = 60_000;

/** `('kraken', 'EUR', '1.08')`: a USDT rate of the family and source of one name, made `ageMs` ago. */
function observed(family: string, currency: string, rate: string, ageMs = 0, source = family): RateObservation {
  return { source, family, asset: 'USDT', currency, rate, observed_at: isoTime(NOW_MS - ageMs) };
}

/** Dollars for one unit of the currency, a day old. */
function ecb(currency: string, rate: string): RateObservation {
  return { ...observed('central_bank', currency, rate, 0, 'ecb'), asset: 'USD' };
}

const pegged = [observed('a', 'USD', '1'), observed('b', 'USD', '1')];

function quote(observations: readonly RateObservation[], currency = 'EUR'): ReturnType<typeof quoteRate> {
  return quoteRate(observations, 'USDT', currency, () => FRESH_MS, NOW_MS);
}

const refusal = (code: string): Error => expect.objectContaining({ code });

describe('the agreed rate', () => {
  test('of two families is their mean', () => {
    const used = [observed('a', 'EUR', '1.08'), observed('b', 'EUR', '1.09')];
    expect(quote([...pegged, ...used])).toEqual({ rate: '1.085', dollarRate: '1', observations: used });
  });

  test('of three families is the middle one, in whatever order they come', () => {
    const used = [observed('a', 'EUR', '1.085'), observed('b', 'EUR', '1.08'), observed('c', 'EUR', '1.081')];
    fc.assert(
      fc.property(fc.shuffledSubarray(used, { minLength: 3 }), shuffled => {
        expect(quote([...shuffled, ...pegged])).toEqual({ rate: '1.081', dollarRate: '1', observations: used });
      }),
    );
  });

  test('counts a family once, by its newest observation', () => {
    const newest = observed('a', 'EUR', '1.08', 0, 'a-2');
    const other = observed('b', 'EUR', '1.09');
    const older = observed('a', 'EUR', '1.3', 1, 'a-1');
    for (const ofFamily of [
      [older, newest],
      [newest, older],
    ]) {
      const quoted = quote([...pegged, ...ofFamily, other]);
      expect(quoted).toEqual({ rate: '1.085', dollarRate: '1', observations: [newest, other] });
    }
  });

  test('counts of two that a family made at one moment the first by name, whichever came first', () => {
    const [first, second] = [observed('a', 'EUR', '1.08', 0, 'a-1'), observed('a', 'EUR', '1.081', 0, 'a-2')];
    const other = observed('b', 'EUR', '1.08');
    for (const ofFamily of [
      [first, second],
      [second, first],
    ])
      expect(quote([...pegged, ...ofFamily, other]).observations).toEqual([first, other]);
  });

  test('comes with the middle of all dollar rates, of which one is enough', () => {
    const used = [observed('a', 'EUR', '1.08'), observed('b', 'EUR', '1.08')];
    const dollars = (...rates: string[]) => rates.map((rate, index) => observed(`f${index}`, 'USD', rate));
    expect(quote([...used, ...dollars('0.998', '1.02', '1.001')]).dollarRate).toBe('1.001');
    expect(quote([...used, ...dollars('0.999')]).dollarRate).toBe('0.999');
    const inDollars = quote(dollars('1.0001', '1.0002'), 'USD');
    expect(inDollars.dollarRate).toBe(inDollars.rate);
  });

  test('is rounded up to 20 digits', () => {
    const used = [observed('a', 'EUR', `1.${'0'.repeat(40)}1`), observed('b', 'EUR', '1')];
    expect(quote([...pegged, ...used]).rate).toBe('1.0000000000000000001');
  });

  test('lies between the lowest and the highest rate', () => {
    const bps = fc.integer({ min: 0, max: 95 });
    fc.assert(
      fc.property(fc.array(bps, { minLength: 2, maxLength: 6 }), offsets => {
        const rates = offsets.map(each => 10_000 + each);
        const used = rates.map((each, index) => observed(`f${index}`, 'EUR', `1.${String(each).slice(1)}`));
        const { rate } = quote([...pegged, ...used]);
        expect(Number(rate) * 10_000).toBeGreaterThanOrEqual(Math.min(...rates) - 1e-6);
        expect(Number(rate) * 10_000).toBeLessThanOrEqual(Math.max(...rates) + 1e-6);
      }),
    );
  });

  test('knows the age of its oldest part', () => {
    const used = [observed('a', 'EUR', '1', 5_000), observed('b', 'EUR', '1', 9_000), observed('c', 'EUR', '1')];
    expect(oldestObservedAt(quote([...pegged, ...used]))).toBe(isoTime(NOW_MS - 9_000));
  });
});

describe('a central bank’s rate', () => {
  const direct = observed('a', 'EUR', '1.08');

  test('makes a second leg with the dollar rate of a family that does not quote the currency, and all three are kept', () => {
    const [own, other] = [observed('a', 'USD', '1.001'), observed('b', 'USD', '1.002', 1)];
    const official = ecb('EUR', '1.08');
    expect(quote([own, other, direct, official])).toEqual({
      // (1.08 + 1.002 x 1.08) / 2
      rate: '1.08108',
      dollarRate: '1.0015',
      observations: [direct, other, official],
    });
  });

  test('is crossed with the newest of several dollar rates', () => {
    const [older, newer] = [observed('b', 'USD', '1.002', 2), observed('c', 'USD', '1.001', 1)];
    for (const dollars of [
      [older, newer],
      [newer, older],
    ])
      expect(quote([...dollars, direct, ecb('EUR', '1.08')]).observations).toContain(newer);
  });

  test('stays out where two families quote the currency themselves, however far off it is', () => {
    const used = [direct, observed('b', 'EUR', '1.09')];
    expect(quote([...pegged, observed('c', 'USD', '1'), ...used, ecb('EUR', '2')])).toEqual({
      rate: '1.085',
      dollarRate: '1',
      observations: used,
    });
  });

  test.each<[string, readonly RateObservation[]]>([
    ['crossed with the very family that it is to confirm', [observed('a', 'USD', '1'), direct, ecb('EUR', '1.08')]],
    ['alone', [observed('b', 'USD', '1'), ecb('EUR', '1.08')]],
    ['of another currency', [observed('b', 'USD', '1'), direct, ecb('GBP', '1.08')]],
    ['that is stale', [observed('b', 'USD', '1'), direct, { ...ecb('EUR', '1.08'), observed_at: isoTime(NOW_MS - FRESH_MS - 1) }]],
    ['with a stale dollar rate', [observed('a', 'USD', '1'), observed('b', 'USD', '1', FRESH_MS + 1), direct, ecb('EUR', '1.08')]],
  ])('is no second opinion %s', (_, observations) => {
    expect(() => quote(observations)).toThrow(refusal('insufficient_rate_sources'));
  }); // prettier-ignore
});

test('whatever fails, a quote stands as long as two families are left to make it', () => {
  const currencies: Readonly<Record<string, readonly string[]>> = {
    coinbase: ['USD', 'EUR', 'KRW'],
    kraken: ['USD', 'EUR'],
    binance: ['EUR'],
    bitstamp: ['USD', 'EUR'],
    coingecko: ['USD', 'EUR', 'KRW'],
    chainlink: ['USD'],
  };
  const names = [...Object.keys(currencies), 'ecb'];
  let quoted = 0;
  // Every subset of the seven, by the bits of a number.
  for (let mask = 0; mask < 2 ** names.length; mask++) {
    const alive = names.filter((_, bit) => (mask >> bit) % 2 === 1);
    const observations = alive.flatMap(name =>
      name === 'ecb'
        ? [ecb('EUR', '1.08'), ecb('KRW', '0.0007')]
        : (currencies[name] ?? []).map(each =>
            observed(name, each, { USD: '1', EUR: '1.08', KRW: '0.0007' }[each] ?? ''),
          ),
    );
    for (const currency of ['EUR', 'KRW']) {
      const direct = alive.filter(name => currencies[name]?.includes(currency));
      const inDollars = alive.filter(name => currencies[name]?.includes('USD'));
      const independent = inDollars.filter(name => !direct.includes(name));
      const crossed = alive.includes('ecb') && independent.length > 0 ? 1 : 0;
      const isQuotable = inDollars.length > 0 && direct.length + crossed >= 2;
      if (isQuotable) {
        quoted++;
        expect(quote(observations, currency).rate).toBe(currency === 'EUR' ? '1.08' : '0.0007');
      } else expect(() => quote(observations, currency)).toThrow(refusal('insufficient_rate_sources'));
    }
  }
  expect(quoted).toBeGreaterThan(100);
});

describe('insufficient_rate_sources', () => {
  test.each<[string, readonly RateObservation[]]>([
    ['no observation', []],
    ['one family', [observed('a', 'EUR', '1.08')]],
    ['two sources of one family', [observed('a', 'EUR', '1.08', 0, 'a-1'), observed('a', 'EUR', '1.08', 0, 'a-2')]],
    ['the second one stale', [observed('a', 'EUR', '1.08'), observed('b', 'EUR', '1.08', FRESH_MS + 1)]],
    ['the second one from the future', [observed('a', 'EUR', '1.08'), observed('b', 'EUR', '1.08', -FRESH_MS - 1)]],
    ['the second one of another currency', [observed('a', 'EUR', '1.08'), observed('b', 'GBP', '1.08')]],
    ['the second one of the other token', [observed('a', 'EUR', '1'), { ...observed('b', 'EUR', '1'), asset: 'USDC' }]],
  ])('with %s', (_, observations) => {
    expect(() => quote([...pegged, ...observations])).toThrow(refusal('insufficient_rate_sources'));
  });

  test('without a fresh dollar rate, since nobody can say that the peg holds', () => {
    const used = [observed('a', 'EUR', '1.08'), observed('b', 'EUR', '1.08')];
    expect(() => quote(used)).toThrow(refusal('insufficient_rate_sources'));
    expect(() => quote([...used, observed('a', 'USD', '1', FRESH_MS + 1)])).toThrow(
      refusal('insufficient_rate_sources'),
    );
  });

  test('an observation is fresh up to its source’s own limit', () => {
    const used = [observed('a', 'USD', '1', 1_000), observed('b', 'USD', '1', 5_000)];
    const freshForMs = (source: string): number => (source === 'b' ? 5_000 : 1_000);
    expect(quoteRate(used, 'USDT', 'USD', freshForMs, NOW_MS).observations).toEqual(used);
    expect(() => quoteRate(used, 'USDT', 'USD', freshForMs, NOW_MS + 1)).toThrow(refusal('insufficient_rate_sources'));
  });
});

describe('rate_divergence', () => {
  const spread = (high: string, family = 'b'): readonly RateObservation[] => [
    ...pegged,
    observed('a', 'EUR', '0.995'),
    observed(family, 'EUR', high),
  ];

  test('up to 100 basis points of the median are allowed', () => {
    expect(quote(spread('1.005')).rate).toBe('1');
    expect(() => quote(spread('1.0050001'))).toThrow(refusal('rate_divergence'));
  });

  test('and the furthest apart of any number of families are compared', () => {
    const third = observed('c', 'EUR', '1');
    expect(quote([...spread('1.005'), third]).rate).toBe('1');
    expect(() => quote([...spread('1.0050001'), third])).toThrow(refusal('rate_divergence'));
  });

  test('up to 200 with a central bank’s rate among them', () => {
    const legs = (official: string): readonly RateObservation[] => [
      observed('a', 'EUR', '0.99'),
      observed('b', 'USD', '1'),
      ecb('EUR', official),
    ];
    expect(quote(legs('1.01')).rate).toBe('1');
    expect(() => quote(legs('1.0100001'))).toThrow(refusal('rate_divergence'));
  });

  test.each([
    ['0.97', '1.0309278350515463917525773195876288659793814432990', true],
    ['0.9699', '1.0310341272296113001340344365398494690174244767502', false],
    ['1.03', '0.97087378640776699029126213592233009708737864077670', true],
    ['1.0301', '0.97077953596738180759149597126492573536549849529172', false],
  ])('a token at %s dollars', (_, rate, holds) => {
    const used = [observed('a', 'USD', rate), observed('b', 'USD', rate)];
    if (holds) expect(quote(used, 'USD').observations).toEqual(used);
    else expect(() => quote(used, 'USD')).toThrow(refusal('rate_divergence'));
  });

  test('one family that sees the peg broken stops every currency of the token', () => {
    const used = [observed('a', 'EUR', '1.08'), observed('b', 'EUR', '1.08')];
    expect(() => quote([...used, observed('a', 'USD', '1'), observed('c', 'USD', '1.1')])).toThrow(
      refusal('rate_divergence'),
    );
  });
});

test('the verdict is the same all through the span in which the same rates are fresh', () => {
  const families = fc.constantFrom('a', 'b', 'c', 'central_bank');
  const rate = fc.constantFrom('1', '1.005', '1.02', '0.9');
  const aged = fc.record({
    family: families,
    currency: fc.constantFrom('EUR', 'USD'),
    rate,
    ageMs: fc.integer({ min: -90, max: 90 }),
  });
  const outcome = (rates: readonly RateObservation[], nowMs: number): unknown => {
    try {
      return quoteRate(rates, 'USDT', 'EUR', () => 50, nowMs);
    } catch (error) {
      return (error as Error).message;
    }
  };
  fc.assert(
    fc.property(fc.array(aged, { maxLength: 8 }), fc.integer({ min: -60, max: 60 }), (all, offsetMs) => {
      const rates = all.map(({ family, currency, rate: value, ageMs }) => observed(family, currency, value, ageMs));
      const nowMs = NOW_MS + offsetMs;
      const { fromMs, untilMs } = freshSpan(rates, () => 50, nowMs);
      expect(fromMs <= nowMs && nowMs < untilMs).toBe(true);
      const [first, last] = [Math.max(fromMs, nowMs - 200), Math.min(untilMs - 1, nowMs + 200)];
      for (const at of [first, last]) expect(outcome(rates, at)).toEqual(outcome(rates, nowMs));
    }),
  );
});
