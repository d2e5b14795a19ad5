import { waitingPaymentsProjection } from '../../projections/waiting-payments.projection';
import type { RecordedEvent } from '../../src/kernel/event';
import { applyEvents } from '../../src/kernel/projection';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { held, HISTORIES, rejected, released, reviewRejected } from '../modules/payment-intents/histories';

const metadata = { mode: 'live', merchant_id: 'mch_1', occurred_at: '2026-11-26T12:00:00.000Z' };
const recorded = (events: readonly PaymentIntentEvent[]) =>
  events.map((event, index) => ({
    ...event, id: `${index}`, stream: 'live.payment_intent-pi_1', revision: index, position: index, metadata,
  })) as never as readonly RecordedEvent[]; // prettier-ignore
const waitsOf = (events: readonly PaymentIntentEvent[]) => {
  const twice = recorded(events).flatMap(event => [event, event]);
  const body = applyEvents(waitingPaymentsProjection, twice, () => null).get('pi_1')?.body ?? null;
  return body && { review: body.review, held: body.is_held };
};

describe('a payment that waits for a decision', () => {
  it.each([
    ['no longer than until its review is decided', [...HISTORIES.underpaid, reviewRejected], null],
    ['for compliance alone', [...HISTORIES.confirming, held], { review: null, held: true }],
    ['for both', [...HISTORIES.underpaid, held], { review: 'underpaid', held: true }],
    ['for its review behind a hold', [...HISTORIES.paid_late, held, released], { review: 'paid_late', held: false }],
    ['for nobody after a released hold', [...HISTORIES.confirming, held, released], null],
    ['for nobody after a rejected hold', [...HISTORIES.confirming, held, rejected], null],
  ])('waits %s', (_, events, expected) => {
    expect(waitsOf(events)).toEqual(expected);
  });

  it.each(Object.entries(HISTORIES))('has a document in review alone: %s', (status, events) => {
    const expected = status === 'underpaid' || status === 'paid_late' ? { review: status, held: false } : null;
    expect(waitsOf(events)).toEqual(expected);
  });
});
