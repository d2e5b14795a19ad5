import {
  amountSlots,
  reservationAt,
  type AmountSlotCommand,
} from '../../../src/modules/amount-slots/amount-slot.decider';
import type { AmountReserved, AmountSlotEvent } from '../../../src/modules/amount-slots/amount-slot.events';
import { given } from '../../support/given-when-then';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const UNTIL = Date.parse('2026-11-02T12:15:00.000Z');

const terms = (paymentIntent: string) => ({
  payment_intent: paymentIntent,
  merchant_id: 'mch_1',
  wallet_id: 'wal_1',
  amount_base_units: '27000120',
  price_base_units: '27000000',
  reserved_until: new Date(UNTIL).toISOString(),
  purpose: 'quote' as const,
});

const reserved = (paymentIntent: string, at = NOON): AmountSlotEvent => ({
  type: 'AmountReserved',
  data: {
    ...terms(paymentIntent),
    reserved_at: new Date(at).toISOString(),
    reserved_until: new Date(at + UNTIL - NOON).toISOString(),
  },
});
const released = (paymentIntent: string, reason: 'unused' | 'lapsed'): AmountSlotEvent => ({
  type: 'AmountReleased',
  data: { payment_intent: paymentIntent, reason },
});

const at = (now: number) => ({ actor: { role: 'api', type: 'system', id: 'x' }, now }) as const;

const reserve = (paymentIntent: string): AmountSlotCommand => ({ type: 'reserve', reservation: terms(paymentIntent) });

describe('an amount slot', () => {
  it('is taken by one payment until it is released, however late', () => {
    given(amountSlots, [])
      .when(reserve('pi_1'), at(NOON))
      .then([reserved('pi_1')]);
    given(amountSlots, [reserved('pi_1')])
      .when(reserve('pi_2'), at(UNTIL + 1))
      .thenRefused('reservation_capacity_exhausted');
    given(amountSlots, [reserved('pi_1'), released('pi_1', 'lapsed')])
      .when(reserve('pi_2'), at(NOON))
      .then([reserved('pi_2')]);
  });

  it('is chosen no more after a thousand reservations, however they ended: its stream ends growing', () => {
    const used = (count: number) => Array.from({ length: count }, () => [reserved('pi_1'), released('pi_1', 'unused')]);
    given(amountSlots, used(999).flat())
      .when(reserve('pi_2'), at(NOON))
      .then([reserved('pi_2')]);
    given(amountSlots, used(1_000).flat())
      .when(reserve('pi_2'), at(NOON))
      .thenRefused('reservation_capacity_exhausted');
  });

  it('is the newest reservation’s alone', () => {
    const again = [reserved('pi_1'), released('pi_1', 'lapsed'), reserved('pi_2')];
    given(amountSlots, again).when(reserve('pi_3'), at(NOON)).thenRefused('reservation_capacity_exhausted');
    const release = (paymentIntent: string): AmountSlotCommand => ({
      type: 'release',
      paymentIntent,
      reason: 'unused',
    });
    given(amountSlots, again).when(release('pi_1'), at(NOON)).then([]);
    given(amountSlots, again)
      .when(release('pi_2'), at(NOON))
      .then([released('pi_2', 'unused')]);
    given(amountSlots, [...again, released('pi_2', 'unused')])
      .when(release('pi_2'), at(NOON))
      .then([]);
  });

  it('lapses only after its time, and only for its holder', () => {
    const lapse = (paymentIntent: string): AmountSlotCommand => ({ type: 'release', paymentIntent, reason: 'lapsed' });
    given(amountSlots, [reserved('pi_1')])
      .when(lapse('pi_1'), at(UNTIL - 1))
      .then([]);
    given(amountSlots, [reserved('pi_1')])
      .when(lapse('pi_2'), at(UNTIL))
      .then([]);
    given(amountSlots, [reserved('pi_1')])
      .when(lapse('pi_1'), at(UNTIL))
      .then([released('pi_1', 'lapsed')]);
  });
});

describe('the reservation of a moment', () => {
  const skewMs = 1_000;
  const find = (history: readonly AmountSlotEvent[], timeMs: number) =>
    reservationAt(given(amountSlots, history).state, () => timeMs, skewMs)?.payment_intent ?? null;

  it.each([
    ['the moment of reserving', NOON, 'pi_1'],
    ['its last moment', UNTIL, 'pi_1'],
    ['just after', UNTIL + 1, null],
    ['a chain clock that lags', NOON - skewMs, 'pi_1'],
    ['long before', NOON - skewMs - 1, null],
  ])('at %s', (_, timeMs, expected) => {
    expect(find([reserved('pi_1')], timeMs)).toBe(expected);
  });

  it('is the one that was open then, not the current one', () => {
    const history = [reserved('pi_1'), released('pi_1', 'lapsed'), reserved('pi_2', UNTIL + 500)];
    expect(find(history, NOON + 5)).toBe('pi_1');
    expect(find(history, UNTIL)).toBe('pi_1');
    expect(find(history, UNTIL + 500)).toBe('pi_2');
    expect(find(history, UNTIL + 600)).toBe('pi_2');
    const over = [...history, released('pi_2', 'lapsed')];
    expect([find(over, NOON + 5), find(over, UNTIL + 600)]).toStrictEqual(['pi_1', 'pi_2']);
  });

  it('is none between two, where one payer may be late or the chain’s clock behind', () => {
    const history = [reserved('pi_1'), released('pi_1', 'lapsed'), reserved('pi_2', UNTIL + 500)];
    expect(find(history, UNTIL + 1)).toBeNull();
    expect(find(history, UNTIL + 499)).toBeNull();
    const later = [reserved('pi_1'), released('pi_1', 'lapsed'), reserved('pi_2', UNTIL + 2 * skewMs)];
    expect(find(later, UNTIL + skewMs)).toBeNull();
    expect(find(later, UNTIL + skewMs + 1)).toBe('pi_2');
  });

  it('is none where two merchants’ clocks both say that it may be theirs', () => {
    const second = { ...reserved('pi_2', UNTIL + 500).data, merchant_id: 'mch_2' } as AmountReserved['data'];
    const history = [reserved('pi_1'), released('pi_1', 'lapsed'), { type: 'AmountReserved', data: second } as const];
    const find = (first: number, other: number) =>
      reservationAt(given(amountSlots, history).state, merchant => (merchant === 'mch_1' ? first : other), skewMs);
    expect(find(NOON - skewMs, UNTIL + 500 - skewMs)).toBeNull();
    expect(find(NOON - skewMs, UNTIL + 499 - skewMs)?.payment_intent).toBe('pi_1');
  });

  it('is none where the amount was never shown to anybody', () => {
    expect(find([reserved('pi_1'), released('pi_1', 'unused')], NOON + 5)).toBeNull();
  });
});
