import {
  deliveryId,
  dueAttempt,
  MAX_ATTEMPTS,
  MAX_REDELIVERIES,
  parseDeliveryId,
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

const requested = (redelivery: number): WebhookDeliveryEvent => ({
  type: 'RedeliveryRequested',
  data: { redelivery },
});
const redelivered = (attempt: number): WebhookDeliveryEvent => ({
  type: 'RedeliverySucceeded',
  data: { attempt, ...answer(200) },
});

function known(...events: readonly WebhookDeliveryEvent[]): KnownDelivery {
  const { state } = given(webhookDeliveries, events);
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

  it.each([null, 199, 300, 301, 302, 303, 304, 307, 308, 404, 500])('goes on after %s', statusCode => {
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
    expect(dueAttempt(known(scheduled), NOW - 1)).toStrictEqual({ trigger: 'schedule', attempt: 1 });
    const retry = known(...history(1));
    expect(dueAttempt(retry, NOW + 60_000 - 1)).toBeNull();
    expect(dueAttempt(retry, NOW + 60_000)).toStrictEqual({ trigger: 'schedule', attempt: 2 });
    expect(dueAttempt(known(withheld), NOW)).toBeNull();
    expect(dueAttempt(known(...history(MAX_ATTEMPTS)), Number.MAX_SAFE_INTEGER)).toBeNull();
  });

  it('is due at once where it was asked for by hand, behind an attempt of the schedule that is due', () => {
    const asked = [...history(1), requested(1), requested(2)];
    expect(dueAttempt(known(...asked), NOW)).toStrictEqual({ trigger: 'manual', redelivery: 1 });
    expect(dueAttempt(known(...asked), NOW + 60_000)).toStrictEqual({ trigger: 'schedule', attempt: 2 });
    expect(dueAttempt(known(...asked, redelivered(1)), NOW)).toStrictEqual({ trigger: 'manual', redelivery: 2 });
    expect(dueAttempt(known(...asked, redelivered(1), redelivered(1)), NOW)).toBeNull();
  });

  it('goes on by its schedule whatever comes of an attempt by hand', () => {
    const redeliver = { type: 'record_redelivery', redelivery: 1, answer: answer(200) } as const;
    given(webhookDeliveries, [...history(2), requested(1)])
      .when(redeliver, at(NOW))
      .then([redelivered(2)]);
    const state = known(...history(2), requested(1), redelivered(2));
    const redeliveries = { requested: 1, made: 1 };
    expect(state).toMatchObject({ redeliveries, attempts: 2, next: { attempt: 3, dueAt: NEXT_AFTER[1] } });
    given(webhookDeliveries, [...history(2), requested(1), redelivered(2)])
      .when(record(3, 500), at(NOW))
      .then([failed(3, NEXT_AFTER[2])]);
  });

  it('numbers an attempt by hand as the one it stands beside, from 1', () => {
    given(webhookDeliveries, [withheld, requested(1)])
      .when({ type: 'record_redelivery', redelivery: 1, answer: answer(500) }, at(NOW))
      .then([{ type: 'RedeliveryFailed', data: { attempt: 1, ...answer(500) } }]);
  });

  it('records a wish for an attempt by hand, and is opened by that where it is not open yet', () => {
    const request = (opening: 'schedule' | 'withhold') => ({ type: 'request_redelivery', opening, facts }) as const;
    given(webhookDeliveries, [])
      .when(request('schedule'), at(NOW))
      .then([scheduled, requested(1)]);
    given(webhookDeliveries, [])
      .when(request('withhold'), at(NOW))
      .then([withheld, requested(1)]);
    given(webhookDeliveries, [withheld, requested(1)])
      .when(request('schedule'), at(NOW))
      .then([requested(2)]);
  });

  it('takes wishes until the schedule is spent, and no more than the bound, made or not', () => {
    const request = { type: 'request_redelivery', opening: 'schedule', facts } as const;
    given(webhookDeliveries, history(MAX_ATTEMPTS - 1))
      .when(request, at(NOW))
      .then([requested(1)]);
    given(webhookDeliveries, history(MAX_ATTEMPTS)).when(request, at(NOW)).thenRefused('attempt_exhausted');
    const wishes = (count: number) => Array.from({ length: count }, (_, index) => requested(index + 1));
    given(webhookDeliveries, [withheld, ...wishes(MAX_REDELIVERIES - 1)])
      .when(request, at(NOW))
      .then([requested(MAX_REDELIVERIES)]);
    const all = [withheld, ...wishes(MAX_REDELIVERIES)];
    // The schedule goes on by itself, so not all attempts are spent.
    const { message } = given(webhookDeliveries, all).when(request, at(NOW)).thenRefused('attempt_exhausted');
    expect(message).toContain('100 attempts by hand');
    expect(MAX_REDELIVERIES).toBe(100);
  });

  it('records an attempt by hand once, whoever made it twice, and none that was not asked for', () => {
    const redeliver = (redelivery: number) => ({ type: 'record_redelivery', redelivery, answer: answer(200) }) as const;
    given(webhookDeliveries, [withheld, requested(1), redelivered(1), requested(2)])
      .when(redeliver(1), at(NOW))
      .then([]);
    for (const redelivery of [0, 2, 1.5]) {
      given(webhookDeliveries, [withheld, requested(1)])
        .when(redeliver(redelivery), at(NOW))
        .thenRefused('invalid_attempt');
    }
  });

  it('has nothing to record before it is opened', () => {
    given(webhookDeliveries, []).when(record(1, 200), at(NOW)).thenRefused('resource_missing');
    given(webhookDeliveries, [])
      .when({ type: 'record_redelivery', redelivery: 1, answer: answer(200) }, at(NOW))
      .thenRefused('resource_missing');
  });
});
