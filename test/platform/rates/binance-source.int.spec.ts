import type { Clock } from '../../../src/kernel/clock';
import type { RateObservation } from '../../../src/kernel/ports/rate-source';
import { BinanceSource } from '../../../src/platform/rates/binance-source';
import { ANSWER_LIMIT_MS, answerWith, AnsweringServer, type Answer } from './answering-server';

const OBSERVED_AT = '2026-11-01T12:00:00.000Z';
const clock: Clock = { now: () => Date.parse(OBSERVED_AT), wait: () => Promise.resolve() };

let server: AnsweringServer;

beforeEach(async () => {
  server = await AnsweringServer.start();
});

afterEach(() => server.stop());

const source = (symbols?: readonly string[]): BinanceSource =>
  new BinanceSource({ clock, baseUrl: server.url, symbols, timeoutMs: ANSWER_LIMIT_MS });
const observe = (binance: BinanceSource): Promise<readonly RateObservation[]> =>
  binance.observe(new AbortController().signal);

const book = (symbol: string, bidPrice: string, askPrice: string): object => {
  return { symbol, bidPrice, bidQty: '1.0', askPrice, askQty: '2.0' };
};
const books = (...all: readonly unknown[]): Answer => answerWith(JSON.stringify(all));
const asked = (index: number): unknown =>
  JSON.parse(new URL(server.requests[index] ?? '', 'http://binance').searchParams.get('symbols') ?? '');

const common = { source: 'binance', family: 'binance', observed_at: OBSERVED_AT };

test('reads pairs in either order, and crosses USDC by its price in USDT', async () => {
  server.answer = books(
    book('USDCUSDT', '0.79999999', '0.80000001'),
    book('EURUSDT', '1.0799', '1.0801'),
    book('USDTTRY', '39.9', '40.1'),
  );
  expect(await observe(source(['EURUSDT', 'USDTTRY']))).toEqual([
    { ...common, asset: 'USDT', currency: 'EUR', rate: '1.08' },
    { ...common, asset: 'USDC', currency: 'EUR', rate: '1.35' },
    { ...common, asset: 'USDT', currency: 'TRY', rate: '0.025' },
    { ...common, asset: 'USDC', currency: 'TRY', rate: '0.03125' },
  ]);
  expect(server.requests[0]).toMatch(/^\/api\/v3\/ticker\/bookTicker\?symbols=/);
  expect(asked(0)).toEqual(['EURUSDT', 'USDTTRY', 'USDCUSDT']);
});

test.each<[string, unknown]>([
  ['a missing pair', undefined],
  ['an empty book', book('USDTTRY', '0.00000000', '0.00000000')],
  ['an ask below the bid', book('USDTTRY', '40', '39')],
  ['a number for a text', { symbol: 'USDTTRY', bidPrice: 40, askPrice: 40 }],
  ['a price that is none', book('USDTTRY', 'NaN', '40')],
  ['an entry that is no book', 'USDTTRY'],
])('loses with %s that pair alone', async (_, misfit) => {
  server.answer = books(misfit ?? null, book('EURUSDT', '1.08', '1.08'), book('USDCUSDT', '1', '1'));
  const observations = await observe(source(['EURUSDT', 'USDTTRY']));
  expect(observations.map(each => `${each.asset}/${each.currency}`)).toEqual(['USDT/EUR', 'USDC/EUR']);
});

test('quotes no USDC where the answer lacks its price', async () => {
  server.answer = books(book('EURUSDT', '1.08', '1.08'), book('USDCUSDT', '1', '0.5'));
  expect((await observe(source(['EURUSDT']))).map(each => each.asset)).toEqual(['USDT']);
});

test('is invalid where nothing of it can be read, naming the pair', async () => {
  server.answer = books();
  await expect(observe(source(['EURUSDT']))).rejects.toMatchObject({
    code: 'provider_response_invalid',
    message: expect.stringContaining('binance: EURUSDT'),
  });
});

test('an unknown symbol is found by halving and left out', async () => {
  const invalid = answerWith('{"code":-1121,"msg":"Invalid symbol."}', 400);
  server.answer = (request, response) => {
    const symbols = asked(server.requests.length - 1) as readonly string[];
    const answer = symbols.includes('USDTXAF') ? invalid : books(...symbols.map(symbol => book(symbol, '2', '2')));
    answer(request, response);
  };
  const binance = source(['EURUSDT', 'USDTXAF', 'USDTTRY']);
  expect((await observe(binance)).filter(each => each.asset === 'USDT').map(each => each.currency)).toEqual([
    'EUR',
    'TRY',
  ]);
  await observe(binance);
  expect(asked(server.requests.length - 1)).toEqual(['EURUSDT', 'USDTTRY', 'USDCUSDT']);
});

test('any other error is unavailability', async () => {
  server.answer = answerWith('{"code":-1003,"msg":"Too much request weight used."}', 400);
  await expect(observe(source())).rejects.toMatchObject({
    code: 'provider_unavailable',
    message: 'binance answered with an error: -1003 Too much request weight used.',
  });
});
