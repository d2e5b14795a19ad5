import { fold } from '../../../src/kernel/decider';
import { isRefusal } from '../../../src/kernel/errors';
import {
  deliveryId,
  isDue,
  MAX_ATTEMPTS,
  parseDeliveryId,
  permitRedelivery,
  webhookDeliveries,
  type KnownDelivery,
} from '../../../src/modules/webhooks/webhook-delivery.decider';
import type { Answer, WebhookDeliveryEvent } from '../../../src/modules/webhooks/webhook-delivery.events';
import { given } from '../../support/given-when-then';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const at = (now: number) => ({ actor: { role: 'sweeper', type: 'system', id: 'webhooks' }, now }) as const;
const facts = {
  event_type: 'payment.confirmed',
  payment_intent: 'pi_1',
  payment_revision: 6,
  created: 1_793_534_400,
} as const;
const scheduled: WebhookDeliveryEvent = { type: 'DeliveryScheduled', data: facts };
const withheld: WebhookDeliveryEvent = { type: 'DeliveryWithheld', data: facts };
const answer = (statusCode: number | null): Answer => ({
  status_code: statusCode,
  error: statusCode === null ? 'timeout' : null,
  latency_ms: 12,
  response_excerpt: '',
});
const record = (attempt: number, statusCode: number | null) =>
  ({ type: 'record_attempt', attempt, answer: answer(statusCode) }) as const;

function failed(attempt: number, nextAttemptAt: string | null): WebhookDeliveryEvent {
  return { type: 'DeliveryAttemptFailed', data: { attempt, ...answer(500), next_attempt_at: nextAttemptAt } };
}

function known(...events: readonly WebhookDeliveryEvent[]): KnownDelivery {
  const state = fold(webhookDeliveries, events);
  if (state.status === 'none') throw new Error('no delivery');
  return state;
}

/** The schedule of the documentation, written out by hand: when each attempt follows one that failed at noon. */
const NEXT_AFTER = [
  '2026-11-01T12:01:00.000Z',
  '2026-11-01T12:05:00.000Z',
  '2026-11-01T12:30:00.000Z',
  '2026-11-01T14:00:00.000Z',
  '2026-11-01T18:00:00.000Z',
  '2026-11-02T00:00:00.000Z',
  '2026-11-02T12:00:00.000Z',
  null,
] as const;

const history = (attempts: number): readonly WebhookDeliveryEvent[] => [
  scheduled,
  ...NEXT_AFTER.slice(0, attempts).map((next, index) => failed(index + 1, next)),
];

describe('a delivery', () => {
  it('is opened once, scheduled or withheld', () => {
    given(webhookDeliveries, []).when({ type: 'schedule', facts }, at(NOW)).then([scheduled]);
    given(webhookDeliveries, []).when({ type: 'withhold', facts }, at(NOW)).then([withheld]);
    for (const opening of [scheduled, withheld]) {
      given(webhookDeliveries, [opening]).when({ type: 'schedule', facts }, at(NOW)).then([]);
      given(webhookDeliveries, [opening]).when({ type: 'withhold', facts }, at(NOW)).then([]);
    }
  });

  it.each(NEXT_AFTER.map((next, index) => [index + 1, next] as const))(
    'after attempt %i failed comes the next one at %s',
    (attempt, next) => {
      given(webhookDeliveries, history(attempt - 1))
        .when(record(attempt, 500), at(NOW))
        .then([failed(attempt, next)]);
    },
  );

  it.each([200, 204, 299])('is over with %i', statusCode => {
    given(webhookDeliveries, [scheduled])
      .when(record(1, statusCode), at(NOW))
      .then([{ type: 'DeliverySucceeded', data: { attempt: 1, ...answer(statusCode) } }]);
  });

  it.each([null, 199, 300, 301, 404, 500])('goes on after %s', statusCode => {
    given(webhookDeliveries, [scheduled])
      .when(record(1, statusCode), at(NOW))
      .then([
        { type: 'DeliveryAttemptFailed', data: { attempt: 1, ...answer(statusCode), next_attempt_at: NEXT_AFTER[0] } },
      ]);
  });

  it('records an attempt once, whoever made it twice', () => {
    const succeeded: WebhookDeliveryEvent = { type: 'DeliverySucceeded', data: { attempt: 1, ...answer(200) } };
    given(webhookDeliveries, history(1)).when(record(1, 200), at(NOW)).then([]);
    given(webhookDeliveries, [scheduled, succeeded]).when(record(1, 500), at(NOW)).then([]);
    given(webhookDeliveries, history(MAX_ATTEMPTS)).when(record(MAX_ATTEMPTS, 200), at(NOW)).then([]);
  });

  it.each([0, 9, 1.5, 3])('refuses the attempt number %d', attempt => {
    given(webhookDeliveries, history(1)).when(record(attempt, 200), at(NOW)).thenRefused('invalid_attempt');
  });

  it('refuses an attempt before the one ahead of it, and one after the last', () => {
    given(webhookDeliveries, [scheduled]).when(record(2, 200), at(NOW)).thenRefused('invalid_attempt');
    given(webhookDeliveries, history(8)).when(record(9, 200), at(NOW)).thenRefused('invalid_attempt');
  });

  it('is known by its event and its endpoint', () => {
    expect(parseDeliveryId(deliveryId('evt_1', 'we_1'))).toStrictEqual({ eventId: 'evt_1', endpointId: 'we_1' });
    for (const other of ['evt_1', 'evt_1:', ':we_1', 'evt_1:we_1:x'])
      expect(() => parseDeliveryId(other)).toThrow(`not a delivery's id: ${other}`);
  });

  it('is due at its time, not a millisecond before', () => {
    expect(isDue(known(scheduled), NOW - 1)).toBe(true);
    const retry = known(...history(1));
    expect(isDue(retry, NOW + 60_000 - 1)).toBe(false);
    expect(isDue(retry, NOW + 60_000)).toBe(true);
    expect(isDue(known(withheld), NOW)).toBe(false);
    expect(isDue(known(...history(MAX_ATTEMPTS)), Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it('goes on by its schedule whatever comes of an attempt by hand', () => {
    const redeliver = { type: 'record_redelivery', answer: answer(200) } as const;
    const redelivered: WebhookDeliveryEvent = { type: 'RedeliverySucceeded', data: { attempt: 2, ...answer(200) } };
    given(webhookDeliveries, history(2)).when(redeliver, at(NOW)).then([redelivered]);
    const state = known(...history(2), redelivered);
    expect(state).toMatchObject({ redeliveries: 1, attempts: 2, next: { attempt: 3, dueAt: NEXT_AFTER[1] } });
    given(webhookDeliveries, [...history(2), redelivered])
      .when(record(3, 500), at(NOW))
      .then([failed(3, NEXT_AFTER[2])]);
  });

  it('numbers an attempt by hand as the one it stands beside, from 1', () => {
    given(webhookDeliveries, [withheld])
      .when({ type: 'record_redelivery', answer: answer(500) }, at(NOW))
      .then([{ type: 'RedeliveryFailed', data: { attempt: 1, ...answer(500) } }]);
  });

  it('permits attempts by hand until the schedule is spent, and no more than the bound', () => {
    const refused = (state: KnownDelivery): boolean => {
      try {
        permitRedelivery(state);
        return false;
      } catch (error) {
        return isRefusal(error, 'attempt_exhausted');
      }
    };
    expect(refused(known(...history(MAX_ATTEMPTS - 1)))).toBe(false);
    expect(refused(known(...history(MAX_ATTEMPTS)))).toBe(true);
    const redelivered: WebhookDeliveryEvent = { type: 'RedeliveryFailed', data: { attempt: 1, ...answer(500) } };
    const many = (count: number) => known(withheld, ...new Array<WebhookDeliveryEvent>(count).fill(redelivered));
    expect(refused(many(99))).toBe(false);
    expect(refused(many(100))).toBe(true);
  });

  it('has nothing to record before it is opened', () => {
    given(webhookDeliveries, []).when(record(1, 200), at(NOW)).thenRefused('resource_missing');
    given(webhookDeliveries, [])
      .when({ type: 'record_redelivery', answer: answer(200) }, at(NOW))
      .thenRefused('resource_missing');
  });
});
