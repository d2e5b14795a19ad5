import { balances, balanceStreamId, bookPlaceOf } from '../../../src/modules/books/balance.decider';
import type { BalanceEvent } from '../../../src/modules/books/balance.events';
import { DaySums } from '../../../src/modules/books/day-sums';
import { startOfDay } from '../../../src/kernel/clock';
import { dayAfter, dayBefore, dayOf, isDay } from '../../../src/modules/books/utc-day';
import { given } from '../../support/given-when-then';

const context = { now: 0, actor: { role: 'watcher', type: 'system', id: 'books' } } as const;
const place = { wallet_id: 'wal_1', token_id: 'usdc-base', day: '2026-11-01' } as const;
const balance = { ...place, block_number: 7, block_hash: '0x7', balance_base_units: '100' };
const day = new DaySums().closed(place, { opening: null, closing: 100n });
const observed: BalanceEvent = { type: 'BalanceObserved', data: balance };
const reconciled: BalanceEvent = { type: 'DayReconciled', data: day };

describe('the books of a day', () => {
  it('observe a balance once', () => {
    given(balances, []).when({ type: 'observe', balance }, context).then([observed]);
    const again = { type: 'observe', balance: { ...balance, balance_base_units: '99' } } as const;
    given(balances, [observed]).when(again, context).then([]);
  });

  it('are closed once, with a balance or without', () => {
    given(balances, [observed]).when({ type: 'reconcile', day }, context).then([reconciled]);
    given(balances, []).when({ type: 'reconcile', day }, context).then([reconciled]);
    given(balances, [observed, reconciled]).when({ type: 'reconcile', day }, context).then([]);
    given(balances, [reconciled]).when({ type: 'observe', balance }, context).then([]);
  });

  it('have a stream that names wallet, token and day', () => {
    expect(bookPlaceOf(balanceStreamId(place))).toStrictEqual(place);
    expect(() => bookPlaceOf('wal_1:usdc-base:2026-02-30')).toThrow();
  });
});

it('a day is one of UTC', () => {
  expect(dayOf(Date.parse('2026-11-01T23:59:59.999Z'))).toBe('2026-11-01');
  expect(startOfDay('2026-11-02')).toBe(Date.parse('2026-11-02T00:00:00.000Z'));
  expect([dayAfter('2026-12-31'), dayBefore('2028-03-01')]).toStrictEqual(['2027-01-01', '2028-02-29']);
  const texts = ['2026-11-01', '2026-02-29', '2026-13-01', '2026-1-1', '2026-11-01T00:00', ''];
  expect(texts.filter(isDay)).toStrictEqual(['2026-11-01']);
});
