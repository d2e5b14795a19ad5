import { deliveriesProjection } from '../../projections/deliveries.projection';
import { webhookEndpointsProjection } from '../../projections/webhook-endpoints.projection';
import { webhookEventsProjection } from '../../projections/webhook-events.projection';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Document } from '../../src/kernel/ports/documents';
import { applyEvents, type Projection } from '../../src/kernel/projection';
import type { Answer, WebhookDeliveryEvent } from '../../src/modules/webhooks/webhook-delivery.events';
import type { WebhookEndpointEvent } from '../../src/modules/webhooks/webhook-endpoint.events';
import { ALWAYS_TOLD } from '../../src/modules/webhooks/told-types';
import { webhookEventId } from '../../src/modules/webhooks/webhook-event';
import { indexOf, lookedUp } from '../../src/modules/webhooks/webhook-events.read-model';

const EVENT = 'evt_00000000000000000000000001';
const ENDPOINTS = ['we_00000000000000000000000001', 'we_00000000000000000000000002'] as const;
const BASE = { merchant_id: 'mch_1', mode: 'test' };

let position = 0;

function record(stream: string, revision: number, event: DomainEvent, occurredAt: string): RecordedEvent {
  position += 1;
  const metadata = { ...BASE, occurred_at: occurredAt } as RecordedEvent['metadata'];
  return { ...event, id: `${stream}@${revision}`, stream, revision, position: position as LogPosition, metadata };
}

const minute = (number: number): string => `2026-11-01T12:${String(number).padStart(2, '0')}:00.000Z`;

/** Feeds each event, then all of them once more, as a runner does that lost its checkpoint. */
function project(projection: Projection, events: readonly RecordedEvent[]): Readonly<Record<string, JsonObject>> {
  const documents = new Map<string, Document>();
  for (const event of [...events, ...events]) {
    for (const { id, version, body } of applyEvents(projection, [event], key => documents.get(key) ?? null).values()) {
      if (body === null) documents.delete(id);
      else documents.set(id, { id, version, body });
    }
  }
  return Object.fromEntries([...documents].map(([id, { body }]) => [id, body]));
}

const facts = { event_type: 'payment.created', payment_intent: 'pi_1', payment_revision: 0, created: 7 } as const;
const answer = (statusCode: number): Answer => ({
  status_code: statusCode,
  error: null,
  latency_ms: 3,
  response_excerpt: 'r',
});

function deliveryHistory(endpoint: string, ...events: readonly WebhookDeliveryEvent[]): readonly RecordedEvent[] {
  return events.map((event, index) =>
    record(`test.webhook_delivery-${EVENT}:${endpoint}`, index, event, minute(index)),
  );
}

function failed(attempt: number, nextAttemptAt: string | null): WebhookDeliveryEvent {
  return { type: 'DeliveryAttemptFailed', data: { attempt, ...answer(500), next_attempt_at: nextAttemptAt } };
}

const scheduled: WebhookDeliveryEvent = { type: 'DeliveryScheduled', data: facts };
const withheld: WebhookDeliveryEvent = { type: 'DeliveryWithheld', data: facts };
const succeeded: WebhookDeliveryEvent = { type: 'DeliverySucceeded', data: { attempt: 1, ...answer(204) } };
const redelivered: WebhookDeliveryEvent = { type: 'RedeliverySucceeded', data: { attempt: 1, ...answer(200) } };
const redeliveryFailed: WebhookDeliveryEvent = { type: 'RedeliveryFailed', data: { attempt: 1, ...answer(500) } };

describe('webhook_events', () => {
  type Row = { delivered: boolean; deliveries: JsonObject[]; exhausted: boolean | null };

  function rows(...histories: readonly (readonly WebhookDeliveryEvent[])[]) {
    const events = histories.flatMap((history, index) => deliveryHistory(ENDPOINTS[index] as string, ...history));
    return project(webhookEventsProjection, events)[EVENT] as Row;
  }

  it('has one document for an event, with a row for each endpoint', () => {
    expect(rows([scheduled, succeeded], [withheld])).toStrictEqual({
      ...BASE,
      type: 'payment.created',
      payment_intent: 'pi_1',
      payment_revision: 0,
      created: 7,
      delivered: false,
      deliveries: [
        { endpoint: ENDPOINTS[0], status: 'delivered', attempts: 1, manual_attempts: 0, next_attempt_at: null },
        { endpoint: ENDPOINTS[1], status: 'withheld', attempts: 0, manual_attempts: 0, next_attempt_at: null },
      ],
      exhausted: null,
    });
  });

  it('is delivered once every endpoint has it', () => {
    expect(rows([scheduled, succeeded], [withheld, redelivered]).delivered).toBe(true);
  });

  it.each([
    ['scheduled', [scheduled], 'pending', 0, 0, minute(0)],
    ['tried again', [scheduled, failed(1, minute(9))], 'pending', 1, 0, minute(9)],
    ['spent', [scheduled, failed(8, null)], 'exhausted', 1, 0, null],
    ['failed by hand', [scheduled, failed(1, minute(9)), redeliveryFailed], 'pending', 1, 1, minute(9)],
    ['had by hand', [scheduled, failed(1, minute(9)), redelivered], 'delivered', 1, 1, minute(9)],
    ['withheld', [withheld], 'withheld', 0, 0, null],
    ['withheld and failed by hand', [withheld, redeliveryFailed], 'withheld', 0, 1, null],
    ['withheld and had by hand', [withheld, redelivered], 'delivered', 0, 1, null],
    ['had by hand and spent', [scheduled, redelivered, failed(8, null)], 'delivered', 1, 1, null],
  ] as const)('shows a delivery that is %s', (_, history, status, attempts, byHand, next) => {
    expect(rows(history).deliveries).toStrictEqual([
      { endpoint: ENDPOINTS[0], status, attempts, manual_attempts: byHand, next_attempt_at: next },
    ]);
  });

  it('is exhausted while one endpoint has made all attempts, and a redelivery ends that', () => {
    const spent = [scheduled, failed(8, null)];
    expect(rows([scheduled, succeeded], spent).exhausted).toBe(true);
    expect(rows([scheduled, failed(1, minute(9))], [withheld]).exhausted).toBeNull();
    expect(rows([...spent, redelivered]).exhausted).toBeNull();
  });

  it('has an event that no endpoint wanted, which is delivered once each delivery opened since then is', () => {
    const unheard = record(`test.unheard_webhook-${EVENT}`, 0, { type: 'WebhookUnheard', data: facts }, minute(0));
    const [one, other] = ENDPOINTS;
    const after = (...events: readonly RecordedEvent[]) =>
      project(webhookEventsProjection, [unheard, ...events])[EVENT];
    const first = deliveryHistory(one, withheld, redelivered);
    expect(after()).toStrictEqual({
      ...BASE,
      type: 'payment.created',
      payment_intent: 'pi_1',
      payment_revision: 0,
      created: 7,
      delivered: false,
      deliveries: [],
      exhausted: null,
    });
    expect(after(...deliveryHistory(one, withheld))).toMatchObject({ delivered: false, deliveries: [{}] });
    expect(after(...first)).toMatchObject({ delivered: true, deliveries: [{ endpoint: one }] });
    expect(after(...first, ...deliveryHistory(other, withheld))).toMatchObject({ delivered: false });
  });

  it('has an event from its payment on, and its deliveries after, where the type alone tells', () => {
    const created = record('test.payment_intent-pi_1', 0, { type: 'PaymentIntentCreated', data: {} }, minute(0));
    const event = webhookEventId(created);
    const opened = record(`test.webhook_delivery-${event}:${ENDPOINTS[0]}`, 0, scheduled, minute(0));
    const after = (...events: readonly RecordedEvent[]) => project(webhookEventsProjection, events);
    const arisen = { ...BASE, type: 'payment.created', payment_intent: 'pi_1', payment_revision: 0, deliveries: [] };
    expect(after(created)[event]).toMatchObject({ ...arisen, delivered: false, exhausted: null });
    expect(after(created, opened)).toMatchObject({ [event]: { type: 'payment.created', deliveries: [{}] } });
    expect(Object.keys(after(created, opened))).toHaveLength(1);
  });

  it.each([...ALWAYS_TOLD])('has %s from its payment on, as %s', (type, told) => {
    const arisen = record('test.payment_intent-pi_1', 3, { type, data: {} }, minute(0));
    const document = { type: told, payment_intent: 'pi_1', payment_revision: 3, deliveries: [] };
    expect(project(webhookEventsProjection, [arisen])).toMatchObject({ [webhookEventId(arisen)]: document });
  });

  it('has none of a payment whose state decides whether it is told', () => {
    const detected = record('test.payment_intent-pi_1', 2, { type: 'TransferDetected', data: {} }, minute(0));
    expect(project(webhookEventsProjection, [detected])).toStrictEqual({});
  });

  it('counts attempts by hand apart, so the schedule never has more than eight', () => {
    const tries = Array.from({ length: 8 }, (_, index) => failed(index + 1, index === 7 ? null : minute(9)));
    const [row] = rows([scheduled, redeliveryFailed, ...tries, redelivered]).deliveries;
    expect(row).toMatchObject({ status: 'delivered', attempts: 8, manual_attempts: 2 });
  });

  it('has an index for each set of filters, save that those of a payment share one', () => {
    const { indexes } = webhookEventsProjection;
    const byFilters = Object.keys(indexes).filter(name => name.startsWith(indexOf([])));
    expect(byFilters).toHaveLength(5);
    for (const filters of [[], ['delivered'], ['type'], ['delivered', 'type']] as const) {
      const fields = ['merchant_id', 'mode', ...filters, 'created', 'id'];
      expect(indexes[indexOf(lookedUp(filters))]).toEqual(fields);
      expect(lookedUp(['payment_intent', ...filters])).toEqual(['payment_intent']);
    }
  });
});

describe('deliveries', () => {
  it('has one document for an attempt, and none for what is no attempt', () => {
    const events = deliveryHistory(ENDPOINTS[0], scheduled, failed(1, minute(9)), redelivered);
    const documents = Object.entries(project(deliveriesProjection, events));
    const shared = { ...BASE, event: EVENT, endpoint: ENDPOINTS[0], attempt: 1, latency_ms: 3, response_excerpt: 'r' };
    expect(documents.map(([, body]) => body)).toStrictEqual([
      { ...shared, trigger: 'schedule', succeeded: false, status_code: 500, error: null, created: minute(1) },
      { ...shared, trigger: 'manual', succeeded: true, status_code: 200, error: null, created: minute(2) },
    ]);
    const [first, second] = documents.map(([id]) => id) as [string, string];
    expect(first).toMatch(/^da_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(first < second).toBe(true);
  });
});

describe('webhook_endpoints', () => {
  const created: WebhookEndpointEvent = {
    type: 'WebhookEndpointCreated',
    data: {
      url: 'https://one.example/',
      description: null,
      enabled_events: ['*'],
      api_version: '2026-11-01',
      secret_id: 'ws_1',
      sealed_secret: 'sealed',
    },
  };
  const roll = (id: string, endsAt: string): WebhookEndpointEvent => ({
    type: 'SigningSecretRolled',
    data: { secret_id: id, sealed_secret: 'sealed', overlap_ends_at: endsAt },
  });

  function document(...events: readonly WebhookEndpointEvent[]): JsonObject | undefined {
    const stream = `test.webhook_endpoint-${ENDPOINTS[0]}`;
    const history = events.map((event, index) => record(stream, index, event, minute(index)));
    return project(webhookEndpointsProjection, history)[ENDPOINTS[0]];
  }

  it('shows an endpoint as it is, without its secret', () => {
    const changed = document(
      created,
      { type: 'WebhookEndpointMoved', data: { url: 'https://two.example/' } },
      { type: 'WebhookEndpointDescribed', data: { description: 'shop' } },
      { type: 'WebhookEndpointSubscribed', data: { enabled_events: ['payment.failed'] } },
      { type: 'WebhookEndpointDisabled', data: { reason: 'sustained_failure' } },
    );
    expect(changed).toStrictEqual({
      ...BASE,
      url: 'https://two.example/',
      description: 'shop',
      enabled_events: ['payment.failed'],
      status: 'disabled',
      disabled_reason: 'sustained_failure',
      api_version: '2026-11-01',
      secrets: [{ id: 'ws_1', created: minute(0), expires_at: null }],
      created: minute(0),
      enabled_at: minute(0),
    });
  });

  it('counts its time anew when it is enabled', () => {
    const enabled = document(
      created,
      { type: 'WebhookEndpointDisabled', data: { reason: 'disabled_by_merchant' } },
      { type: 'WebhookEndpointEnabled', data: {} },
    );
    expect(enabled).toMatchObject({ status: 'enabled', disabled_reason: null, enabled_at: minute(2) });
  });

  it('lists the secrets newest first and forgets those that had ended', () => {
    expect(document(created, roll('ws_2', minute(30)), roll('ws_3', minute(40)))?.secrets).toStrictEqual([
      { id: 'ws_3', created: minute(2), expires_at: null },
      { id: 'ws_2', created: minute(1), expires_at: minute(40) },
      { id: 'ws_1', created: minute(0), expires_at: minute(30) },
    ]);
    expect(document(created, roll('ws_2', minute(1)), roll('ws_3', minute(40)))?.secrets).toStrictEqual([
      { id: 'ws_3', created: minute(2), expires_at: null },
      { id: 'ws_2', created: minute(1), expires_at: minute(40) },
    ]);
  });
});
