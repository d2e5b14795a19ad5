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
  const { data } = (await givenController()).list(caller, {});
  expect(data.map(each => each.currency)).toEqual(expect.arrayContaining(['CHF', 'EUR', 'GBP', 'JPY', 'KWD', 'USD']));
  expect(data.every(each => each.rates.length === 3)).toBe(true);
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
  [{ currency: ['EUR', 'USD'] }, 'invalid_currency', 'currency'],
  [{ currency: 'XYZ' }, 'currency_not_supported', 'currency'],
  [{ currency: 'EUR', limit: '5' }, 'invalid_filter', 'limit'],
])('refuses the query %j', async (query, code, param) => {
  const controller = await givenController();
  expect(() => controller.list(caller, query)).toThrow(expect.objectContaining({ code, param }));
});

test('any key may ask, and none may not', () => {
  expect(Reflect.getMetadata(REQUIRED_SCOPE, ExchangeRatesController.prototype.list)).toBeNull();
});
