import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { restartId, restartRefusal } from '../../../src/modules/payment-intents/payment-intent.restart';
import { STATUSES } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { isId } from '../../../src/vocabulary/ids';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const { underpaid, paid_late: late, confirming, expired } = h.HISTORIES;
const lost: PaymentIntentEvent = { type: 'PaymentFailed', data: { transfer_id: 'tr_1', reason: 'reorged_out' } };

const refusalOf = (history: readonly PaymentIntentEvent[]) => restartRefusal(given(paymentIntents, history).state);

it.each<[string, readonly PaymentIntentEvent[], ReturnType<typeof restartRefusal>]>([
  ['none', h.HISTORIES.none, 'payment_not_found'],
  ['created', h.HISTORIES.created, 'invalid_state_transition'],
  ['awaiting_payment', h.HISTORIES.awaiting_payment, 'invalid_state_transition'],
  ['detected', h.HISTORIES.detected, 'invalid_state_transition'],
  ['confirming', confirming, 'invalid_state_transition'],
  ['confirming and held', [...confirming, h.held], 'invalid_state_transition'],
  ['confirmed', h.HISTORIES.confirmed, 'payment_already_paid'],
  ['overpaid', h.HISTORIES.overpaid, 'payment_overpaid'],
  ['canceled', h.HISTORIES.canceled, 'payment_canceled'],
  ['underpaid', underpaid, 'payment_underpaid'],
  ['underpaid, released', [...underpaid, h.held, h.released], 'payment_underpaid'],
  ['underpaid, rejected by compliance', [...underpaid, h.held, h.rejected], 'compliance_hold'],
  ['underpaid, rejected in review', [...underpaid, h.reviewRejected], null],
  ['paid_late', late, 'invalid_state_transition'],
  ['paid_late, rejected by compliance', [...late, h.held, h.rejected], 'compliance_hold'],
  ['paid_late, rejected in review', [...late, h.dropped('tr_2'), h.reviewRejected], null],
  ['failed, rejected by compliance', [...confirming, h.held, h.rejected], 'compliance_hold'],
  ['failed', [...confirming, lost], null],
  ['expired', expired, null],
  ['expired, a transfer on its way', [...expired, h.detected('tr_9', '5')], 'invalid_state_transition'],
  ['expired, that transfer gone', [...expired, h.detected('tr_9', '5'), h.dropped('tr_9')], null],
])('a payment that is %s', (_, history, expected) => {
  expect(refusalOf(history)).toBe(expected);
});

it('knows a history of each status', () => {
  expect(STATUSES.map(status => given(paymentIntents, h.HISTORIES[status]).state.status)).toStrictEqual(STATUSES);
});

describe('the id of the payment in its place', () => {
  const ID = 'pi_01hq3k8zj5x2v7m4t9c6w1p0ra';
  const key = (fill: number) => new Uint8Array(32).fill(fill);

  it('is one, sorts beside the former one, and takes the key to be told', () => {
    const id = restartId(ID, key(1));
    expect(isId('pi', id)).toBe(true);
    expect(restartId(ID, key(1))).toBe(id);
    expect(id.slice(0, 13)).toBe(ID.slice(0, 13));
    expect(id.slice(13)).not.toBe(ID.slice(13));
    const others = [restartId(ID, key(2)), restartId(id, key(1)), restartId(ID.replace('0ra', '0rb'), key(1))];
    expect(new Set([id, ...others].map(each => each.slice(13))).size).toBe(4);
  });
});
