import { assertQuotable } from '../../../src/modules/quotes/quotable';
import { RateBook } from '../../../src/modules/quotes/rate-book';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { loadConfig } from '../../../src/platform/config/config';
import { createLogger } from '../../../src/platform/logging/logger';
import { rateSources } from '../../../src/composition/rates';
import { ScriptedProvider } from '../chains/scripted-provider';
import { AnsweringServer, answerWith } from './answering-server';
import { DEFAULT_CEILING_USD_MINOR_UNITS } from '../../../src/vocabulary/payment-limits';

const clock = new SystemClock();
const log = createLogger({ level: 'silent' });
const entropy = new SystemEntropy();
const word = (value: number): string => value.toString(16).padStart(64, '0');

/** Each source by how its path begins, all at 0.8 EUR and 160 JPY a token. */
const ANSWERS: Readonly<Record<string, (nowS: number) => unknown>> = {
  '/v2/exchange-rates?currency=USDT': () => ({ data: { currency: 'USDT', rates: { USD: '1', EUR: '0.8', JPY: '160' } } }),
  '/v2/exchange-rates?currency=USDC': () => ({ data: { currency: 'USDC', rates: { USD: '1', EUR: '0.8', JPY: '160' } } }),
  '/0/public/Ticker': () => ({
    error: [],
    result: Object.fromEntries([['USDTZUSD', '1'], ['USDCUSD', '1'], ['USDTEUR', '0.8'], ['USDCEUR', '0.8']].map(
      ([name, price]) => [name, { a: [price, '1', '1'], b: [price, '1', '1'] }],
    )),
  }),
  '/api/v3/ticker/bookTicker': () => [['EURUSDT', '1.25'], ['USDCUSDT', '1'], ['USDTJPY', '160']].map(
    ([symbol, price]) => ({ symbol, bidPrice: price, askPrice: price }),
  ),
  '/api/v2/ticker/usdtusd': nowS => ({ bid: '1', ask: '1', timestamp: String(nowS) }),
  '/api/v2/ticker/usdteur': nowS => ({ bid: '0.8', ask: '0.8', timestamp: String(nowS) }),
  '/api/v2/ticker/usdcusd': nowS => ({ bid: '1', ask: '1', timestamp: String(nowS) }),
  '/api/v2/ticker/usdceur': nowS => ({ bid: '0.8', ask: '0.8', timestamp: String(nowS) }),
  '/api/v3/simple/price': nowS => {
    const prices = { usd: 1, eur: 0.8, jpy: 160, last_updated_at: nowS };
    return { tether: prices, 'usd-coin': prices };
  },
  '/v1/latest': nowS => {
    return { amount: 1, base: 'USD', date: new Date(nowS * 1_000).toISOString().slice(0, 10), rates: { EUR: 0.8, JPY: 160 } };
  },
}; // prettier-ignore

/** Which of the paths above each source asks for. */
const PATHS: Readonly<Record<string, string>> = {
  coinbase: '/v2/exchange-rates',
  kraken: '/0/public',
  binance: '/api/v3/ticker',
  bitstamp: '/api/v2/ticker',
  coingecko: '/api/v3/simple',
  ecb: '/v1/latest',
};
const NAMES = [...Object.keys(PATHS), 'chainlink'];

let server: AnsweringServer;
let base: ScriptedProvider;
let failing: ReadonlySet<string>;

beforeEach(async () => {
  failing = new Set();
  server = await AnsweringServer.start();
  server.answer = (request, response) => {
    const url = request.url ?? '';
    const isFailing = [...failing].some(name => url.startsWith(PATHS[name] ?? '-'));
    const answer = Object.entries(ANSWERS).find(([path]) => url.startsWith(path))?.[1];
    const nowS = Math.floor(clock.now() / 1_000);
    (isFailing || !answer ? answerWith('{}', 500) : answerWith(JSON.stringify(answer(nowS))))(request, response);
  };
  base = await ScriptedProvider.start((method, [call]) => {
    if (failing.has('chainlink')) return { error: { code: -32_000, message: 'too busy' } };
    if (method === 'eth_chainId') return { result: '0x2105' };
    if (method === 'eth_getCode') return { result: '0x60' };
    const nowS = Math.floor(clock.now() / 1_000);
    const isFeed = (call as { data?: string } | undefined)?.data === '0xfeaf968c';
    if (method === 'eth_call' && isFeed) return { result: `0x${[1, 100_000_000, nowS, nowS, 1].map(word).join('')}` };
    return method === 'eth_call' ? { result: `0x${word(6)}` } : { result: null };
  });
});

afterEach(async () => {
  await server.stop();
  await base.stop();
});

async function open(env: Readonly<Record<string, string>>): Promise<RateBook> {
  const urls = ['COINBASE', 'KRAKEN', 'BINANCE', 'BITSTAMP', 'COINGECKO', 'FRANKFURTER'];
  const bases = Object.fromEntries(urls.map(name => [`${name}_URL`, server.url]));
  const config = loadConfig({ ...bases, BASE_LIVE_RPC_URLS: base.url, LIVE_RATE_SOURCES: NAMES.join(), ...env });
  return new RateBook(await rateSources({ config, clock, log }), clock, log, entropy);
}

async function bookWithout(...names: readonly string[]): Promise<RateBook> {
  failing = new Set(names);
  const book = await open({});
  await book.refresh();
  return book;
}

async function quoteWithout(...names: readonly string[]) {
  return (await bookWithout(...names)).quote('live', 'USDC', 'EUR');
}

test('every configured source says its own', async () => {
  const book = await open({});
  await book.refresh();
  expect(book.quote('live', 'USDT', 'EUR')).toMatchObject({ rate: '1.25' });
  const sources = (currency: string): readonly string[] =>
    book.quote('live', 'USDC', currency).observations.map(each => each.source);
  expect(sources('EUR')).toEqual(['binance', 'bitstamp', 'coinbase-usdc', 'coingecko', 'kraken']);
  expect(sources('USD')).toEqual(['bitstamp', 'coinbase-usdc', 'coingecko', 'kraken', 'chainlink']);
});

test('two that are left of all are enough, whichever of those that quote the currency they are', async () => {
  const direct = ['coinbase', 'kraken', 'binance', 'bitstamp', 'coingecko'];
  for (const [index, one] of direct.entries()) {
    for (const other of direct.slice(index + 1)) {
      const gone = NAMES.filter(name => name !== one && name !== other);
      const book = await bookWithout(...gone);
      expect(book.quote('live', 'USDC', 'EUR')).toMatchObject({ rate: '1.25', observations: { length: 2 } });
      // A payment can be created too, though not both may tell a token's worth in dollars.
      const bounds = { enabledTokens: ['usdc-base'], ceilingUsdMinorUnits: DEFAULT_CEILING_USD_MINOR_UNITS } as const;
      expect(assertQuotable(book, { mode: 'live', currency: 'EUR', amountMinorUnits: 2_500n, ...bounds })).toBe(2);
    }
  }
});

test('a central bank and the chain make one opinion together, which confirms one exchange', async () => {
  const quoted = await quoteWithout('kraken', 'binance', 'bitstamp', 'coingecko');
  expect(quoted.observations.map(each => each.source)).toEqual(['coinbase-usdc', 'chainlink', 'ecb']);
  expect(quoted.rate).toBe('1.25');
  await expect(quoteWithout('kraken', 'binance', 'bitstamp', 'coingecko', 'chainlink')).rejects.toMatchObject({
    code: 'insufficient_rate_sources',
  });
});

test('a mode that is not served asks nobody; test mode without sources has its own', async () => {
  const book = await open({ MODES: 'test' });
  await book.refresh();
  expect(server.requests).toEqual([]);
  expect(book.listedCurrencies('live')).toEqual([]);
  expect(book.quote('test', 'USDT', 'EUR').observations.map(each => each.source)).toEqual(['sandbox-a', 'sandbox-b']);
  expect((await open({ MODES: 'live' })).listedCurrencies('test')).toEqual([]);
});
