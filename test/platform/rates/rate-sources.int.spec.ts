import type { Clock } from '../../../src/kernel/clock';
import type { RateObservation, RateSource } from '../../../src/kernel/ports/rate-source';
import type { Asset } from '../../../src/vocabulary/tokens';
import { BinanceSource } from '../../../src/platform/rates/binance-source';
import { BitstampSource } from '../../../src/platform/rates/bitstamp-source';
import { CoinbaseSource } from '../../../src/platform/rates/coinbase-source';
import { CoinGeckoSource } from '../../../src/platform/rates/coingecko-source';
import { EcbSource } from '../../../src/platform/rates/ecb-source';
import { KrakenSource } from '../../../src/platform/rates/kraken-source';
import {
  ANSWER_LIMIT_MS,
  answerWith,
  AnsweringServer,
  cutOff,
  hugeAnswer,
  neverAnswer,
  SILENCE_MS,
  stallAfter,
  type Answer,
} from './answering-server';

const NOW_MS = 1_793_534_400_000;
const OBSERVED_AT = '2026-11-01T12:00:00.000Z';
let timeoutMs: number;
let nowMs = NOW_MS;
const clock: Clock = { now: () => nowMs, wait: () => Promise.resolve() };

let server: AnsweringServer;

beforeEach(async () => {
  nowMs = NOW_MS;
  timeoutMs = ANSWER_LIMIT_MS;
  server = await AnsweringServer.start();
});

afterEach(() => server.stop());

function observe(source: RateSource): Promise<readonly RateObservation[]> {
  return source.observe(new AbortController().signal);
}

const coinbase = (asset: Asset = 'USDT'): CoinbaseSource =>
  new CoinbaseSource({ asset, clock, baseUrl: server.url, timeoutMs });
const kraken = (currencies: readonly string[] = ['USD', 'EUR']): KrakenSource => {
  const pairs = currencies.map(currency => ({ asset: 'USDT' as const, currency }));
  return new KrakenSource({ clock, baseUrl: server.url, pairs, timeoutMs });
};
const coingecko = (apiKey?: string): CoinGeckoSource =>
  new CoinGeckoSource({ baseUrl: server.url, apiKey, currencies: ['USD', 'KWD'], timeoutMs });

const binance = (symbols?: readonly string[]): BinanceSource =>
  new BinanceSource({ clock, baseUrl: server.url, symbols, timeoutMs });
const bitstamp = (currencies: readonly string[] = ['USD']): BitstampSource => {
  const pairs = currencies.map(currency => ({ asset: 'USDT' as const, currency }));
  return new BitstampSource({ baseUrl: server.url, pairs, timeoutMs });
};
const ecb = (): EcbSource => new EcbSource({ baseUrl: server.url, currencies: ['EUR', 'JPY'], timeoutMs });

describe.each([
  ['coinbase-usdt', () => coinbase()],
  ['kraken', () => kraken()],
  ['coingecko', () => coingecko()],
  ['binance', () => binance()],
  ['bitstamp', () => bitstamp()],
  ['ecb', () => ecb()],
] as const)('%s', (name, make) => {
  test.each<[string, Answer, number?]>([
    ['status 429', answerWith('{}', 429, { 'retry-after': '60' })],
    ['status 418', answerWith('{}', 418)],
    ['status 500', answerWith('{}', 500)],
    ['status 204', answerWith('', 204)],
    ['a redirect', answerWith('', 302, { location: '/elsewhere' })],
    ['no answer in time', neverAnswer, SILENCE_MS],
    ['an answer that never ends', stallAfter('{"data":'), SILENCE_MS],
    ['an answer cut off', cutOff],
  ])('is unavailable with %s', async (_, answer, limitMs = ANSWER_LIMIT_MS) => {
    timeoutMs = limitMs;
    server.answer = answer;
    await expect(observe(make())).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringContaining(name),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('is unavailable when nobody listens', async () => {
    const source = make();
    await server.stop();
    await expect(observe(source)).rejects.toMatchObject({ code: 'provider_unavailable' });
    server = await AnsweringServer.start();
  });

  test('stops at once when it is told to', async () => {
    server.answer = neverAnswer;
    const stop = new AbortController();
    const observing = make().observe(stop.signal);
    stop.abort();
    await expect(observing).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test.each<[string, Answer]>([
    ['HTML', answerWith('<html><body>Just a moment…</body></html>')],
    ['truncated JSON', answerWith('{"data":{"currency":"USDT","rates":{"EUR":"0.9')],
    ['an empty body', answerWith('')],
    ['null', answerWith('null')],
    ['a text', answerWith('"down for maintenance"')],
    ['an empty object', answerWith('{}')],
    ['a huge body', hugeAnswer],
  ])('is invalid with %s', async (_, answer) => {
    server.answer = answer;
    await expect(observe(make())).rejects.toMatchObject({
      code: 'provider_response_invalid',
      message: expect.stringContaining(name),
    });
  });
});

describe('Coinbase', () => {
  const rates = (table: Readonly<Record<string, unknown>>, currency = 'USDT'): Answer =>
    answerWith(JSON.stringify({ data: { currency, rates: table } }));

  test('inverts fiat per token into token per fiat, to 50 digits, and leaves out what is no listed currency', async () => {
    server.answer = rates({ EUR: '0.92', USD: '1', KWD: '0.32', BTC: '0.00001', XAU: 'n/a' });
    const common = { source: 'coinbase-usdt', family: 'coinbase', asset: 'USDT', observed_at: OBSERVED_AT };
    expect(await observe(coinbase())).toEqual([
      { ...common, currency: 'EUR', rate: '1.0869565217391304347826086956521739130434782608696' },
      { ...common, currency: 'KWD', rate: '3.125' },
      { ...common, currency: 'USD', rate: '1' },
    ]);
    expect(server.requests).toEqual(['/v2/exchange-rates?currency=USDT']);
  });

  test('leaves out a rate that is none, not the others', async () => {
    server.answer = rates({ USD: '1', EUR: 'n/a', GBP: null });
    expect((await observe(coinbase())).map(each => each.currency)).toEqual(['USD']);
  });

  test.each([
    ['abc'], ['NaN'], ['Infinity'], ['-1.08'], ['0'], ['0.00'], ['1e999'], ['1e-20'], ['0x1'], [' 1'], [''], [1.08], [null], ['9'.repeat(50)],
  ])('refuses the rate %j and names the field', async rate => {
    server.answer = rates({ EUR: rate });
    await expect(observe(coinbase())).rejects.toMatchObject({
      code: 'provider_response_invalid',
      message: expect.stringContaining('coinbase-usdt: data.rates.EUR'),
    });
  }); // prettier-ignore

  test('refuses another currency’s rates', async () => {
    server.answer = rates({ EUR: '0.92' }, 'BTC');
    await expect(observe(coinbase())).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });

  test.each([['{"data":{"currency":"USDT"}}'], ['{"data":{"currency":"USDT","rates":"none"}}']])(
    'names the missing or wrong field of %s',
    async body => {
      server.answer = answerWith(body);
      await expect(observe(coinbase())).rejects.toMatchObject({ message: expect.stringContaining('data.rates') });
    },
  );
});

describe('Kraken', () => {
  const ticker = (bid: string, ask: string): object => ({
    a: [ask, '1', '1.000'],
    b: [bid, '1', '1.000'],
    c: [bid, '2'],
  });
  const tickers = (result: object): Answer => answerWith(JSON.stringify({ error: [], result }));
  const failing = (...error: string[]): Answer => answerWith(JSON.stringify({ error }));

  /** Answers like Kraken: one unknown pair fails the batch, and a dollar pair has another name. */
  const knowing =
    (...known: string[]): Answer =>
    (request, response) => {
      const pairs = new URL(request.url ?? '', 'http://kraken').searchParams.get('pair')?.split(',') ?? [];
      const all = pairs.every(pair => known.includes(pair));
      const result = pairs.map(pair => [pair.replace(/USD$/, 'ZUSD'), ticker('0.9999', '1.0001')]);
      const answer = all ? tickers(Object.fromEntries(result)) : failing('EQuery:Unknown asset pair');
      answer(request, response);
    };

  test('takes the middle of bid and ask, under the old name or the new', async () => {
    server.answer = tickers({ USDTZUSD: ticker('0.9999', '1.0001'), USDTEUR: ticker('0.7999', '0.8001') });
    const common = { source: 'kraken', family: 'kraken', asset: 'USDT', observed_at: OBSERVED_AT };
    expect(await observe(kraken())).toEqual([
      { ...common, currency: 'USD', rate: '1' },
      { ...common, currency: 'EUR', rate: '1.25' },
    ]);
    expect(server.requests).toEqual(['/0/public/Ticker?pair=USDTUSD,USDTEUR']);
  });

  test('an unknown pair is found by halving, left out of the next batches and tried again after an hour', async () => {
    const source = kraken(['USD', 'EUR', 'XAF', 'GBP']);
    server.answer = knowing('USDTUSD', 'USDTEUR', 'USDTGBP');
    expect((await observe(source)).map(each => each.currency)).toEqual(['USD', 'EUR', 'GBP']);
    expect(server.requests).toHaveLength(5);
    await observe(source);
    expect(server.requests.slice(5)).toEqual(['/0/public/Ticker?pair=USDTUSD,USDTEUR,USDTGBP']);
    nowMs += 3_600_000;
    server.answer = knowing('USDTUSD', 'USDTEUR', 'USDTGBP', 'USDTXAF');
    expect(await observe(source)).toHaveLength(4);
  });

  test('knowing none of the pairs is said, not hidden', async () => {
    const source = kraken(['XAF']);
    server.answer = knowing();
    expect(await observe(source)).toEqual([]);
    await expect(observe(source)).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });

  test('an error of the service is unavailability', async () => {
    server.answer = failing('EGeneral:Too many requests');
    await expect(observe(kraken())).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: 'kraken answered with an error: EGeneral:Too many requests',
    });
  });

  const misfits: readonly [string, unknown, string][] = [
    ['a missing pair', undefined, 'result.USDTEUR'],
    ['an ask below the bid', ticker('0.9', '0.8'), 'result.USDTEUR'],
    ['a bid that is no number', ticker('abc', '1'), 'result.USDTEUR.bid'],
    ['an empty book', ticker('1', '0.00000'), 'result.USDTEUR.ask'],
    ['no bid', { a: ['1'] }, 'result.USDTEUR.b'],
  ];

  test.each(misfits)('loses with %s that pair alone', async (_, misfit) => {
    server.answer = tickers({ USDTZUSD: ticker('1', '1'), USDTEUR: misfit });
    expect((await observe(kraken())).map(each => each.currency)).toEqual(['USD']);
  });

  test.each(misfits)('refuses %s where it has nothing else, and names the field', async (_, misfit, field) => {
    server.answer = tickers({ USDTEUR: misfit });
    await expect(observe(kraken(['EUR']))).rejects.toMatchObject({
      code: 'provider_response_invalid',
      message: expect.stringContaining(`kraken: ${field}`),
    });
  });

  test('by default asks for the dollar pair of both tokens', async () => {
    server.answer = failing('EService:Unavailable');
    await expect(observe(new KrakenSource({ clock, baseUrl: server.url }))).rejects.toThrow();
    expect(server.requests[0]).toMatch(/pair=USDTUSD,.*USDCUSD,/);
  });
});

describe('CoinGecko', () => {
  const body = (kwd: string, updatedAt = '1793534340'): string =>
    `{"tether":{"usd":1.25,"kwd":${kwd},"last_updated_at":${updatedAt}},"usd-coin":{"usd":1,"last_updated_at":1793534400}}`;

  test('reads numbers by their digits, with the source’s own time', async () => {
    server.answer = answerWith(body('3.2e-1'));
    const common = { source: 'coingecko', family: 'coingecko' };
    expect(await observe(coingecko('key-1'))).toEqual([
      { ...common, asset: 'USDT', currency: 'USD', rate: '0.8', observed_at: '2026-11-01T11:59:00.000Z' },
      { ...common, asset: 'USDT', currency: 'KWD', rate: '3.125', observed_at: '2026-11-01T11:59:00.000Z' },
      { ...common, asset: 'USDC', currency: 'USD', rate: '1', observed_at: OBSERVED_AT },
    ]);
    expect(server.headers['x-cg-demo-api-key']).toBe('key-1');
  });

  test.each([
    ['a price that is none', body('"0.3"'), ['USDT/USD', 'USDC/USD']],
    ['a token without its time', body('0.3', 'null'), ['USDC/USD']],
    ['a missing token', '{"tether":{"usd":1,"last_updated_at":1793534400}}', ['USDT/USD']],
  ])('loses with %s nothing else', async (_, answer, pairs) => {
    server.answer = answerWith(answer);
    expect((await observe(coingecko())).map(each => `${each.asset}/${each.currency}`)).toEqual(pairs);
  });

  const alone = (kwd: string, updatedAt = '1793534340'): string =>
    `{"tether":{"kwd":${kwd},"last_updated_at":${updatedAt}},"usd-coin":null}`;

  test.each([
    ['a text for a number', alone('"0.3"'), 'tether.kwd'],
    ['zero', alone('0'), 'tether.kwd'],
    ['a negative price', alone('-0.3'), 'tether.kwd'],
    ['a time that is none', alone('0.3', '-1'), 'tether.last_updated_at'],
    ['missing tokens', '{}', 'tether'],
  ])('refuses %s and names the field', async (_, answer, field) => {
    server.answer = answerWith(answer);
    await expect(observe(coingecko())).rejects.toMatchObject({
      code: 'provider_response_invalid',
      message: expect.stringContaining(`coingecko: ${field}`),
    });
  });
});
