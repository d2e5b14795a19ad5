import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import { applyEvents } from '../../../src/kernel/projection';
import { presentPaymentIntent } from '../../../src/modules/payment-intents/queries/payment-intent.presenter';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { STATUSES } from '../../../src/modules/payment-intents/payment-intent.transitions';
import * as h from './histories';

const PI = 'pi_00000000000000000000000001';
const NOTHING = { remaining: null, review: null, hold: null, failure_reason: null, surplus_token_amount: null };
/** The network's head; the transfer stands in block 100. */
const HEAD = 103;
const SOON = Date.parse('2026-11-01T12:10:00.000Z');

/** The payment as the API shows it after a history: its n-th event happened at the n-th second after noon. */
function shown(history: readonly PaymentIntentEvent[], headNumber: number | null = HEAD, nowMs = SOON) {
  const events = history.map((event, revision) => ({
    ...event,
    id: `event ${revision}`,
    stream: `test.payment_intent-${PI}`,
    revision,
    position: revision,
    metadata: { merchant_id: 'mch_1', mode: 'test', occurred_at: at(revision) },
  })) as unknown as readonly RecordedEvent[];
  const change = applyEvents(paymentIntentsProjection, events, () => null).get(PI);
  if (!change?.body) throw new Error('no payment');
  const checkoutUrl = 'https://pay.example/checkout';
  return presentPaymentIntent(PI, change.body, { checkoutUrl, headNumber, nowMs, claims: null });
}

function at(revision: number): string {
  return new Date(Date.parse('2026-11-01T12:00:00.000Z') + revision * 1_000).toISOString();
}

const { underpaid, paid_late: paidLate, confirming } = h.HISTORIES;
const lost = h.dropped('tr_1');

describe('a payment as the API shows it', () => {
  it.each([
    ['created', { ...NOTHING, received_amount: '0', received_token_amount: null, expires_at: null, transfers: [] }],
    [
      'awaiting_payment',
      { ...NOTHING, received_amount: '0', received_token_amount: '0.000000', expires_at: h.EXPIRES_AT },
    ],
    ['detected', { ...NOTHING, received_amount: '0', transfers: [{ status: 'seen' }] }],
    ['confirming', { ...NOTHING, received_amount: '0', transfers: [{ status: 'confirming' }] }],
    ['confirmed', { ...NOTHING, received_amount: '925', confirmed_at: at(9), review: { resolution: 'accepted' } }],
    ['underpaid', { received_amount: '925', received_token_amount: '10.000000', confirmed_at: null }],
    ['overpaid', { ...NOTHING, received_amount: '2777', surplus_token_amount: '2.999880', confirmed_at: at(6) }],
    ['paid_late', { received_amount: '2500', review: { reason: 'paid_late', resolution: null, entered_at: at(6) } }],
    ['expired', { ...NOTHING, received_amount: '0', expires_at: h.EXPIRES_AT }],
    ['canceled', { ...NOTHING, received_amount: '0', canceled_at: at(2) }],
    ['failed', { received_amount: '2500', failure_reason: 'compliance_rejected', hold: { status: 'rejected' } }],
  ] as const)('in %s', (status, expected) => {
    expect(STATUSES).toContain(status);
    expect(shown(h.HISTORIES[status])).toMatchObject({ id: PI, object: 'payment_intent', status, ...expected });
  });

  it('shows in underpaid how the remainder can be paid, and no longer than it is', () => {
    const { remaining, review } = shown(underpaid);
    expect(remaining).toStrictEqual({
      token_amount: '17.000130',
      address: h.quote.address,
      pay_uri: expect.stringContaining('uint256=17000130'),
      reserved_until: '2026-11-02T12:05:00.000Z',
    });
    expect(review).toStrictEqual({ reason: 'underpaid', entered_at: at(6), resolution: null, note: null });
    const part = { transfer_id: 'tr_2', received_base_units: '20000000', received_minor_units: '1851' };
    const asked = { due_base_units: '7000200', slot: '700020', reserved_until: '2026-11-02T13:00:00.000Z' };
    const further: PaymentIntentEvent[] = [
      ...underpaid,
      h.detected('tr_2', '10000000'),
      { type: 'RemainderCredited', data: part },
      { type: 'RemainderReserved', data: asked },
    ];
    expect(shown(further)).toMatchObject({
      received_amount: '1851',
      remaining: { token_amount: '7.000200', reserved_until: asked.reserved_until },
    });
    expect(shown(h.HISTORIES.confirmed).remaining).toBeNull();
  });

  it.each([
    ['at its last moment', 0, true],
    ['a millisecond later', 1, false],
  ])('shows what is asked for of the remainder while it is matched: %s', (_, offMs, isShown) => {
    const endMs = Date.parse(h.remainder.reserved_until);
    expect(shown(underpaid, HEAD, endMs + offMs).remaining !== null).toBe(isShown);
  });

  it('asks for nothing from a transfer that counted is gone until the remainder is asked for anew, or after a rejection', () => {
    const gone = [...underpaid, lost];
    expect(shown(gone)).toMatchObject({ status: 'underpaid', remaining: null });
    const again: PaymentIntentEvent = {
      type: 'RemainderReserved',
      data: { ...h.remainder, due_base_units: '27000200' },
    };
    expect(shown([...gone, again]).remaining).toMatchObject({ token_amount: '27.000200' });
    const otherwise = h.detected('tr_1', '9000000');
    expect(shown([...underpaid, otherwise])).toMatchObject({ received_amount: '0', remaining: null });
    for (const ending of [[h.held, h.rejected], [h.reviewRejected]])
      expect(shown([...underpaid, ...ending])).toMatchObject({ status: 'underpaid', remaining: null });
  });

  it('asks for nothing while a hold is open, and for the same again once it is released', () => {
    const held = [...underpaid, h.held];
    expect(shown(held)).toMatchObject({ status: 'underpaid', hold: { status: 'open' }, remaining: null });
    expect(shown([...held, h.released]).remaining).toStrictEqual(shown(underpaid).remaining);
  });

  it.each([
    ['the head is not known', null, 1],
    ['the head is behind', 99, 1],
    ['the head is the block', 100, 1],
    ['three blocks lie on it', 103, 3],
    ['more lie on it than are waited for', 140, 40],
  ])('counts confirmations from the head: %s', (_, headNumber, confirmations) => {
    expect(shown(confirming, headNumber).transfers).toMatchObject([{ confirmations, required_confirmations: 12 }]);
  });

  it('never shows less than the events prove, and nothing for what is gone', () => {
    const confirmations = (history: readonly PaymentIntentEvent[], headNumber: number | null) =>
      shown(history, headNumber).transfers[0]?.confirmations;
    expect(confirmations(h.HISTORIES.detected, null)).toBe(0);
    expect(confirmations(underpaid, null)).toBe(12);
    expect(confirmations(underpaid, 101)).toBe(12);
    expect(confirmations([...underpaid, lost], 200)).toBe(0);
  });

  it.each([
    ['reverted', 'failed'],
    ['reorged_out', 'reorged'],
    ['verification_failed', 'failed'],
  ] as const)('names why it failed: %s', (reason, status) => {
    const failed: PaymentIntentEvent = { type: 'PaymentFailed', data: { transfer_id: 'tr_1', reason } };
    expect(shown([...confirming, failed])).toMatchObject({
      status: 'failed',
      failure_reason: reason,
      transfers: [{ status }],
    });
  });

  it('takes off what the chain has lost while it is in review, and keeps the figures of what is settled', () => {
    expect(shown([...underpaid, lost])).toMatchObject({ received_amount: '0', transfers: [{ status: 'reorged' }] });
    expect(shown([...paidLate, lost])).toMatchObject({ received_amount: '0', received_token_amount: '0.000000' });
    const gone: PaymentIntentEvent = { type: 'SettledTransferLost', data: { transfer_id: 'tr_1' } };
    expect(shown([...h.HISTORIES.overpaid, gone])).toMatchObject({
      status: 'overpaid',
      received_amount: '2777',
      transfers: [{ status: 'reorged', confirmations: 0 }],
    });
  });

  it('takes a surplus that came after the end off its list', () => {
    const surplus: PaymentIntentEvent = { type: 'TransferDropped', data: { transfer_id: 'tr_2', reason: 'surplus' } };
    const before = shown(h.HISTORIES.confirmed);
    const after = shown([...h.HISTORIES.confirmed, surplus]);
    expect([before.transfers.length, after.transfers.length]).toStrictEqual([2, 1]);
    expect(after.received_amount).toBe(before.received_amount);
  });

  it('keeps what was paid of a payment that compliance has failed, as the chain has it', () => {
    const failed = [...confirming, h.held, h.rejected];
    expect(shown(failed)).toMatchObject({
      status: 'failed',
      failure_reason: 'compliance_rejected',
      received_amount: '2500',
      received_token_amount: '27.000120',
    });
    expect(shown([...failed, lost])).toMatchObject({ status: 'failed', received_amount: '0' });
  });

  it('shows a hold from its placing to its end, and a decision with its note', () => {
    const held = [...confirming, h.held];
    const open = shown(held).hold;
    const [placedAt, resolvedAt] = [at(held.length - 1), at(held.length)];
    const id = expect.stringMatching(/^hold_[0-9a-hjkmnp-tv-z]{26}$/) as string;
    expect(open).toStrictEqual({ id, status: 'open', placed_at: placedAt, resolved_at: null, note: null });
    const released = { ...open, status: 'released', resolved_at: resolvedAt };
    expect(shown([...held, h.released]).hold).toStrictEqual(released);
    expect(shown([...held, h.rejected]).hold).toStrictEqual({ ...released, status: 'rejected' });
    expect(shown([...paidLate, h.reviewRejected])).toMatchObject({
      status: 'paid_late',
      review: { reason: 'paid_late', resolution: 'rejected', note: 'sent back' },
    });
  });
});
