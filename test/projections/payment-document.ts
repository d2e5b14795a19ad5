import { paymentIntentsProjection } from '../../projections/payment-intents.projection';
import type { RecordedEvent } from '../../src/kernel/event';
import { applyEvents } from '../../src/kernel/projection';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import type { PaymentIntentDocument } from '../../src/modules/payment-intents/payment-intents.read-model';

const PI = 'pi_00000000000000000000000001';

/** The document after a history of which every event is delivered twice. `lastAt`: the moment of the last event. */
export function documentOf(history: readonly PaymentIntentEvent[], lastAt?: string): PaymentIntentDocument {
  const momentOf = (revision: number): string =>
    revision === history.length - 1 && lastAt !== undefined ? lastAt : `2026-11-01T12:00:${10 + revision}.000Z`;
  const events = history.map((event, revision) => ({
    ...event,
    id: `event ${revision}`,
    stream: `test.payment_intent-${PI}`,
    revision,
    position: revision,
    metadata: { merchant_id: 'mch_1', mode: 'test', occurred_at: momentOf(revision) },
  })) as unknown as readonly RecordedEvent[];
  const twice = events.flatMap(event => [event, event]);
  const body = applyEvents(paymentIntentsProjection, twice, () => null).get(PI)?.body;
  if (!body) throw new Error('no payment');
  return body;
}
