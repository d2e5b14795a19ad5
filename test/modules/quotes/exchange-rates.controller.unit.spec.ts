import type { Clock } from '../../../src/kernel/clock';
import type { Log } from '../../../src/kernel/ports/log';
import { ExchangeRatesController } from '../../../src/modules/quotes/api/exchange-rates.controller';
import { RateBook } from '../../../src/modules/quotes/rate-book';
import type { Caller } from '../../../src/platform/http/caller';
import { REQUIRED_SCOPE } from '../../../src/platform/http/caller';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { FixedSource } from '../../../src/platform/rates/fixed-source';

const NOW_MS = 1_793_534_400_000;
const clock: Clock = { now: () => NOW_MS, wait: () => Promise.resolve() };
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const caller = { merchantId: 'mch_1', mode: 'test' } as Caller;
const live = { ...caller, mode: 'live' } as Caller;

async function givenController(): Promise<ExchangeRatesController> {
  // A clock whose waits are over at once would give every source up, so here only the aborted waits end.
  const patient: Clock = {
    ...clock,
    wait: (_, signal) => new Promise(end => signal?.addEventListener('abort', () => end())),
  };
  const sources = (['sandbox-a', 'sandbox-b'] as const).map(name => new FixedSource(name, patient));
  const rates = new RateBook({ test: sources, live: [] }, patient, silent, new SystemEntropy());
  await rates.refresh();
  return new ExchangeRatesController(rates);
}

test('answers one currency with a rate for each token', async () => {
  const row = { rate: '1.080324', observed_at: '2026-11-01T12:00:00.000Z', sources: ['sandbox-a', 'sandbox-b'] };
  expect((await givenController()).list(caller, { currency: 'EUR' })).toEqual({
    object: 'list',
    url: '/v1/exchange_rates',
    has_more: false,
    data: [
      {
        id: 'EUR',
        currency: 'EUR',
        currency_decimals: 2,
        rates: [
          { token_id: 'usdt-tron', ...row },
          { token_id: 'usdt-bnb', ...row },
          { token_id: 'usdc-base', ...row },
        ],
      },
    ],
  });
});

test('answers the whole list without a filter, each currency with three rates', async () => {
  const { data, has_more: hasMore } = (await givenController()).list(caller, { limit: '100' });
  expect(hasMore).toBe(false);
  expect(data.map(each => each.currency)).toEqual(expect.arrayContaining(['CHF', 'EUR', 'GBP', 'JPY', 'KWD', 'USD']));
  expect(data.every(each => each.rates.length === 3)).toBe(true);
});

test.each(['1', '7', '20', '100'])('pages of %s hold each currency once, by code', async limit => {
  const controller = await givenController();
  const seen: string[] = [];
  for (let hasMore = true; hasMore;) {
    const cursor = seen.at(-1);
    const page = controller.list(caller, { limit, ...(cursor !== undefined && { starting_after: cursor }) });
    expect(page.data.length).toBeLessThanOrEqual(Number(limit));
    seen.push(...page.data.map(({ id }) => id));
    hasMore = page.has_more;
  }
  expect(seen).toEqual([...new Set(seen)].sort());
  expect(seen).toHaveLength(23);
});

test('a page has 20 currencies unless told otherwise', async () => {
  const { data, has_more: hasMore } = (await givenController()).list(caller, {});
  expect([data.length, hasMore]).toEqual([20, true]);
});

test('a page goes on behind a currency that is no longer listed', async () => {
  const { data } = (await givenController()).list(caller, { starting_after: 'EGP', limit: '1' });
  expect(data.map(({ id }) => id)).toEqual(['EUR']);
});

test('the sandbox’s rates are never shown to live keys', async () => {
  expect((await givenController()).list(live, {}).data).toEqual([]);
});

test('a currency of ISO 4217 that is not listed is no error', async () => {
  expect((await givenController()).list(caller, { currency: 'XAF' }).data).toEqual([]);
});

test.each([
  [{ currency: 'eur' }, 'invalid_currency', 'currency'],
  [{ currency: '' }, 'invalid_currency', 'currency'],
  [{ currency: ['EUR', 'USD'] }, 'parameter_invalid', 'currency'],
  [{ currency: 'XYZ' }, 'currency_not_supported', 'currency'],
  [{ mode: 'live' }, 'invalid_filter', 'mode'],
  [{ limit: '0' }, 'invalid_limit', 'limit'],
  [{ limit: '101' }, 'invalid_limit', 'limit'],
  [{ starting_after: '' }, 'invalid_cursor', 'starting_after'],
  [{ starting_after: 'eur' }, 'invalid_cursor', 'starting_after'],
  [{ starting_after: 'XYZ' }, 'invalid_cursor', 'starting_after'],
  [{ starting_after: 'pi_00000000000000000000000000' }, 'invalid_cursor', 'starting_after'],
])('refuses the query %j', async (query, code, param) => {
  const controller = await givenController();
  expect(() => controller.list(caller, query)).toThrow(expect.objectContaining({ code, param }));
});

test('any key may ask, and none may not', () => {
  expect(Reflect.getMetadata(REQUIRED_SCOPE, ExchangeRatesController.prototype.list)).toBeNull();
});
