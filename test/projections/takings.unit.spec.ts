import { takingsProjection } from '../../projections/takings.projection';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import { applyEvents } from '../../src/kernel/projection';
import { shownDays, takingsByDay } from '../../src/modules/home/takings-by-day';
import type { TakingsDocument } from '../../src/modules/home/takings.read-model';

let position = 0;

function recorded(stream: string, at: string, event: DomainEvent, merchant_id = 'mch_1', mode = 'live'): RecordedEvent {
  position += 1;
  const metadata = { mode, merchant_id, occurred_at: at };
  return { ...event, id: `event-${position}`, stream: `${mode}.${stream}`, revision: 0, position, metadata } as never;
}

const paid = (payment: string, at: string, amount: string, currency = 'EUR', ...of: string[]) => {
  const data = { currency, reckoned_on_minor_units: amount, fee_bps: 0, fee_minor_units: '0' };
  return recorded(`fee_accrual-${payment}`, at, { type: 'FeeAccrued', data }, ...of);
};
const lost = (payment: string, at: string) =>
  recorded(`payment_intent-${payment}`, at, { type: 'SettledTransferLost', data: { transfer_id: 'tr_1' } });

const history = [
  paid('pi_1', '2026-11-25T23:59:59.000Z', '2500'),
  paid('pi_2', '2026-11-26T00:00:00.000Z', '900719925474099267'),
  paid('pi_3', '2026-11-26T00:14:59.999Z', '3'),
  paid('pi_4', '2026-11-26T00:15:00.000Z', '7', 'JPY'),
  paid('pi_5', '2026-11-26T00:00:00.000Z', '1', 'EUR', 'mch_2'),
  paid('pi_6', '2026-11-26T00:00:00.000Z', '1', 'EUR', 'mch_1', 'test'),
  lost('pi_1', '2026-11-26T10:00:00.000Z'),
  lost('pi_1', '2026-11-26T11:00:00.000Z'),
];
const documentsOf = (events: readonly RecordedEvent[]) =>
  new Map(
    [...applyEvents(takingsProjection, events, () => null)].map(([id, { body }]) => [id, body as TakingsDocument]),
  );

describe('the takings of a day', () => {
  it.each([
    ['once', history],
    ['twice', history.flatMap(event => [event, event])],
  ])('are summed by quarter and currency, each event given %s', (_, events) => {
    const documents = documentsOf(events);
    expect([...documents.keys()]).toEqual([
      'live/mch_1/2026-11-25', 'live/mch_1/2026-11-26', 'live/mch_2/2026-11-26', 'test/mch_1/2026-11-26',
    ]); // prettier-ignore
    expect(documents.get('live/mch_1/2026-11-26')).toEqual({
      merchant_id: 'mch_1',
      mode: 'live',
      day: '2026-11-26',
      quarters: {
        0: { EUR: { payments: 2, minor_units: '900719925474099270' } },
        1: { JPY: { payments: 1, minor_units: '7' } },
      },
      lost: { transfers: 2, payments: ['pi_1'] },
    });
    expect(documents.get('live/mch_1/2026-11-25')?.quarters).toEqual({
      95: { EUR: { payments: 1, minor_units: '2500' } },
    });
  });

  it('name few of the payments that lost a transfer, and count all of the transfers', () => {
    const events = Array.from({ length: 12 }, (_, index) => lost(`pi_${index}`, '2026-11-26T10:00:00.000Z'));
    const { lost: told } = documentsOf(events).get('live/mch_1/2026-11-26') as TakingsDocument;
    expect([told.transfers, told.payments.length]).toEqual([12, 10]);
  });
});

describe('the days of a time zone', () => {
  const own = [...documentsOf(history).values()].filter(
    ({ merchant_id: id, mode }) => id === 'mch_1' && mode === 'live',
  );
  const nowMs = Date.parse('2026-11-26T12:00:00.000Z');
  const eurosOf = (timeZone: string) => {
    const [euros] = takingsByDay(own, shownDays(nowMs, timeZone), timeZone);
    return euros?.days.filter(({ payments }) => payments > 0).map(({ day, minorUnits }) => [day, minorUnits]);
  };

  it.each([
    ['UTC', [['2026-11-25', 2500n], ['2026-11-26', 900719925474099270n]]],
    ['Asia/Kathmandu', [['2026-11-26', 900719925474101770n]]],
    ['America/New_York', [['2026-11-25', 900719925474101770n]]],
  ])('cut the takings at midnight of %s', (timeZone, days) => {
    expect(eurosOf(timeZone)).toEqual(days);
  }); // prettier-ignore

  it('are 14 with today as the last one, also where a clock is put back', () => {
    const days = shownDays(Date.parse('2026-11-02T04:30:00.000Z'), 'America/New_York');
    expect(days).toHaveLength(14);
    expect([days[0], days.at(-2), days.at(-1)]).toEqual(['2026-10-19', '2026-10-31', '2026-11-01']);
  });

  it('tell each currency apart, with the days that had nothing', () => {
    const shown = takingsByDay(own, shownDays(nowMs, 'UTC'), 'UTC');
    expect(shown.map(({ currency, days }) => [currency, days.length, days.at(-1)?.minorUnits])).toEqual([
      ['EUR', 14, 900719925474099270n],
      ['JPY', 14, 7n],
    ]);
  });
});
