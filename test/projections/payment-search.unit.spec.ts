import { searchKeysProjection } from '../../projections/search-keys.projection';
import type { RecordedEvent } from '../../src/kernel/event';
import { applyEvents, documentIds, type Projection } from '../../src/kernel/projection';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { hashKey, pairKey, payerKey, valueKey } from '../../src/modules/payment-intents/search-keys.read-model';
import type { JsonObject } from '../../src/vocabulary/json';
import { termsOf } from '../support/payment-terms';
import * as h from '../modules/payment-intents/histories';

const CREATED: PaymentIntentEvent = {
  type: 'PaymentIntentCreated',
  data: termsOf({ metadata: { order: '42', basket: '42' } }),
};

function recorded(events: readonly PaymentIntentEvent[]): readonly RecordedEvent<PaymentIntentEvent>[] {
  return events.map((event, revision) => ({
    ...event,
    ...{ id: `${revision}`, stream: 'test.payment_intent-pi_1', revision, position: 100 + revision },
    metadata: { merchant_id: 'mch_1', mode: 'test', occurred_at: `2026-11-01T12:00:1${revision}.000Z` },
  })) as unknown as readonly RecordedEvent<PaymentIntentEvent>[];
}

/** The documents of the events, each of which is delivered twice. */
function project<Body extends JsonObject>(projection: Projection<Body>, events: readonly PaymentIntentEvent[]) {
  const once = recorded(events);
  const changes = applyEvents(projection, [...once, ...once], () => null);
  return [...changes.values()].map(({ id, body }) => ({ id, ...body }));
}

describe('search keys', () => {
  it('stand under each text of the metadata once, and under the hash and the payer of each transfer', () => {
    const keys = [pairKey('order', '42'), valueKey('42'), pairKey('basket', '42')];
    const paid = [hashKey('AB'.repeat(32)), payerKey(h.PAYER.toLowerCase())];
    const events = [CREATED, h.selected, h.detected('tr_1', '1'), h.detected('tr_1', '1'), h.dropped('tr_1')];
    expect(project(searchKeysProjection, events)).toStrictEqual(
      [...keys, ...paid].map(search_key => ({
        ...{ id: `pi_1:${search_key}`, merchant_id: 'mch_1', mode: 'test', search_key, payment_intent: 'pi_1' },
      })),
    );
  });

  it('are none for an event that names no text', () => {
    const [event] = recorded([{ type: 'PaymentIntentCreated', data: termsOf() }]);
    expect(event && documentIds(searchKeysProjection as Projection, event)).toStrictEqual([]);
  });
});
