import { amountKey } from '../../src/modules/payment-intents/payment-intents.read-model';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { standingOf } from '../../src/modules/payment-intents/payment-intent.standing';
import { asPayment, quotedIn, type Ground } from '../../src/processes/matching/ranking-ground';
import { TOKENS } from '../../src/vocabulary/tokens';
import {
  detected,
  dropped,
  held,
  HISTORIES,
  inferred,
  quote,
  rejected,
  remainder,
  SECOND_PAYER,
} from '../modules/payment-intents/histories';
import { documentOf } from './payment-document';

const GROUND: Ground = {
  place: { mode: 'test', token: TOKENS['usdc-base'], address: quote.address },
  aheadMs: new Map(),
  shiftsMs: [0],
};

/** The payment as the search for a transfer's payment sees it, beside the fields by which the search finds it. */
function expected(history: readonly PaymentIntentEvent[]) {
  const body = documentOf(history);
  const payment = quotedIn(body);
  return {
    ...body,
    state: asPayment({ id: 'pi_1', version: 1, body }, GROUND).state,
    standing: standingOf(payment),
    inferred_transfer: payment.ledger.inferred,
    dedicated: payment.quote.dedicated,
  };
}

describe('expected payments', () => {
  it('are found by amount, the fiat figure and time from the quote on', () => {
    expect(documentOf(HISTORIES.created)).toMatchObject({ quoted_day: null, due_key: null, fiat_key: null });
    expect(expected(HISTORIES.awaiting_payment)).toMatchObject({
      state: 'waiting',
      due_key: amountKey(quote.due_base_units),
      fiat_key: amountKey(25_000_000n),
      quoted_day: quote.quoted_at.slice(0, 10),
      payer: null,
    });
  });

  it.each([
    ['detected', 'paid'],
    ['confirmed', 'paid'],
    ['overpaid', 'paid'],
    ['underpaid', 'waiting'],
    ['failed', 'ended'],
    ['expired', 'waiting'],
    ['paid_late', 'paid'],
  ] as const)('say of one that is %s that it is %s', (status, state) => {
    expect(expected(HISTORIES[status])).toMatchObject({ state });
  });

  it('know the remainder of one that came short, and keep it once it has come', () => {
    const { remainder_key: asked, remainder_until: until } = expected(HISTORIES.underpaid);
    expect(asked).toMatch(/^\d{78}$/);
    expect(expected(HISTORIES.detected)).toMatchObject({ remainder_key: null });
    expect(expected(HISTORIES.confirmed)).toMatchObject({
      state: 'paid',
      remainder_key: asked,
      remainder_until: until,
    });
  });

  it.each([
    ['awaiting_payment', 'awaiting'],
    ['expired', 'awaiting'],
    ['detected', 'under_way'],
    ['confirming', 'under_way'],
    ['underpaid', 'short'],
    ['paid_late', 'short'],
    ['confirmed', 'paid'],
    ['overpaid', 'paid'],
    ['failed', 'ended'],
    ['canceled', 'ended'],
  ] as const)('say of one that is %s that it stands as %s', (status, standing) => {
    expect(expected(HISTORIES[status])).toMatchObject({ standing });
  });

  it('know an inferred transfer, the moment of the first one, and the part that is missing until it is asked for', () => {
    const history = [...HISTORIES.awaiting_payment, inferred('tr_1', '13500060')];
    const missing = amountKey(13_500_060n);
    expect(expected(history)).toMatchObject({
      standing: 'under_way',
      inferred_transfer: 'tr_1',
      first_paid_at: '2026-11-01T12:05:00.000Z',
      remainder_key: missing,
      dedicated: false,
    });
    expect(expected([...history, inferred('tr_1', '13500060')])).toMatchObject({ remainder_key: missing });
    const bare = { standing: 'awaiting', first_paid_at: null, inferred_transfer: 'tr_1' };
    expect(expected([...history, dropped('tr_1')])).toMatchObject(bare);
  });

  it.each([
    [0, '26999990', 130n],
    [100, '26730119', null],
    [100, '26730118', 270_002n],
    [100, '26999990', null],
    [0, '27000130', null],
  ])('miss what the domain calls short, at a tolerance of %d basis points: %s', (tolerance_bps, value, missing) => {
    const [created, selected] = HISTORIES.awaiting_payment;
    const quoted = { ...selected, data: { ...selected?.data, tolerance_bps } } as PaymentIntentEvent;
    const history = [created, quoted, inferred('tr_1', value)] as readonly PaymentIntentEvent[];
    expect(expected(history)).toMatchObject({ remainder_key: missing && amountKey(missing) });
  });

  it('stay ended after a rejected hold, and wait again once their last transfer is gone', () => {
    const blocked = [...HISTORIES.underpaid, held, rejected];
    expect(expected(blocked)).toMatchObject({ state: 'ended', standing: 'ended' });
    expect(expected([...blocked, detected('tr_2', '1')])).toMatchObject({ state: 'ended', standing: 'ended' });
    const seen = [...HISTORIES.expired, detected('tr_1', '1')];
    expect(expected(seen)).toMatchObject({ state: 'paid', standing: 'under_way' });
    expect(expected([...seen, dropped('tr_1')])).toMatchObject({ state: 'waiting', standing: 'awaiting' });
  });

  it('wait again once a further transfer has left the chain', () => {
    const further = [...HISTORIES.underpaid, detected('tr_2', '5', SECOND_PAYER)];
    expect(expected(further)).toMatchObject({ state: 'paid', standing: 'short' });
    expect(expected([...further, dropped('tr_2')])).toMatchObject({ state: 'waiting', standing: 'short' });
  });

  it('miss what all transfers leave, as long as no amount is reserved for it', () => {
    const parts = [...HISTORIES.awaiting_payment, detected('tr_1', '10000000'), detected('tr_2', '7000000')];
    expect(expected(parts)).toMatchObject({
      remainder_key: amountKey(10_000_120n),
      remainder_until: quote.reserved_until,
    });
    expect(expected([...parts, dropped('tr_2')])).toMatchObject({ remainder_key: amountKey(17_000_120n) });
  });

  it('keep the day on which the remainder was asked for', () => {
    const asked = { remainder_day: '2026-11-01', remainder_until: remainder.reserved_until };
    const { remainder_key } = expected(HISTORIES.underpaid);
    expect(remainder_key).toBe(amountKey(remainder.due_base_units));
    const next = documentOf([...HISTORIES.underpaid, detected('tr_2', '5', SECOND_PAYER)], '2026-11-02T12:00:00.000Z');
    expect(next).toMatchObject({ ...asked, remainder_key });
  });

  it('ask for nothing more once they are settled, though a transfer is lost since', () => {
    const { remainder_key } = expected(HISTORIES.confirmed);
    const lost: PaymentIntentEvent = { type: 'SettledTransferLost', data: { transfer_id: 'tr_1' } };
    expect(expected([...HISTORIES.confirmed, lost])).toMatchObject({ remainder_key, standing: 'paid' });
  });

  it('sort as amounts count', () => {
    const amounts = [1n, 9n, 10n, 27_000_120n, 10n ** 18n, 2n ** 256n - 1n];
    expect(amounts.map(amountKey)).toStrictEqual(amounts.map(amountKey).sort());
  });
});
