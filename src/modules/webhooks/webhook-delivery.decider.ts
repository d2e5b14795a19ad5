import { HOUR_MS, isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../kernel/errors';
import { invariant, unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { Answer, AttemptEvent, DeliveryFacts, WebhookDeliveryEvent } from './webhook-delivery.events';

/** From each attempt to the next one: attempt 1 is made at once, attempt 8 is the last. */
export const RETRY_DELAYS_MS = [
  MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS,
] as const; // prettier-ignore
export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;
/** Attempts by hand that one delivery takes. */
const MAX_REDELIVERIES = 100;

export type WebhookDelivery =
  | { readonly status: 'none' }
  | {
      /** `withheld`: the endpoint was disabled as the event arose, so there is no schedule. */
      readonly status: 'scheduled' | 'withheld';
      readonly facts: DeliveryFacts;
      /** Attempts of the schedule; those by hand are counted apart. */
      readonly attempts: number;
      readonly redeliveries: number;
      /** The schedule's next attempt, at once where `dueAt` is null; null when the schedule is over. */
      readonly next: { readonly attempt: number; readonly dueAt: string | null } | null;
    };

export type KnownDelivery = Exclude<WebhookDelivery, { readonly status: 'none' }>;

export type WebhookDeliveryCommand =
  | { readonly type: 'schedule' | 'withhold'; readonly facts: DeliveryFacts }
  | { readonly type: 'record_attempt'; readonly attempt: number; readonly answer: Answer }
  | { readonly type: 'record_redelivery'; readonly answer: Answer };

/** Only 2xx counts. */
export function isDelivered(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode <= 299;
}

/** Whether the schedule's next attempt is to be made at `now`. */
export function isDue(delivery: KnownDelivery, now: number): boolean {
  return delivery.next !== null && (delivery.next.dueAt === null || parseIsoTime(delivery.next.dueAt) <= now);
}

/** To be asked before an attempt by hand is made. Throws Refusal attempt_exhausted. */
export function permitRedelivery(delivery: KnownDelivery): void {
  const isSpent = delivery.attempts >= MAX_ATTEMPTS || delivery.redeliveries >= MAX_REDELIVERIES;
  if (isSpent) throw refuse('attempt_exhausted');
}

/** `context.now` is when the attempt was made; the next one is counted from there. */
function decide(
  command: WebhookDeliveryCommand,
  state: WebhookDelivery,
  { now }: DecisionContext,
): readonly WebhookDeliveryEvent[] {
  switch (command.type) {
    case 'schedule':
      return state.status === 'none' ? [{ type: 'DeliveryScheduled', data: command.facts }] : [];
    case 'withhold':
      return state.status === 'none' ? [{ type: 'DeliveryWithheld', data: command.facts }] : [];
    case 'record_attempt':
      return decideAttempt(command.attempt, command.answer, known(state), now);
    case 'record_redelivery': {
      const { status_code: statusCode } = command.answer;
      const data = { attempt: Math.max(1, known(state).attempts), ...command.answer };
      return [{ type: isDelivered(statusCode) ? 'RedeliverySucceeded' : 'RedeliveryFailed', data }];
    }
    default:
      return unreachable(command);
  }
}

function known(state: WebhookDelivery): KnownDelivery {
  if (state.status === 'none') throw refuse('resource_missing');
  return state;
}

function decideAttempt(
  attempt: number,
  answer: Answer,
  { attempts, next }: KnownDelivery,
  now: number,
): readonly WebhookDeliveryEvent[] {
  const isNumber = Number.isInteger(attempt) && attempt >= 1 && attempt <= MAX_ATTEMPTS;
  if (!isNumber || attempt > attempts + 1) throw refuse('invalid_attempt');
  // Two processes made it at once, and the other one recorded it first.
  if (next?.attempt !== attempt) return [];
  if (isDelivered(answer.status_code)) return [{ type: 'DeliverySucceeded', data: { attempt, ...answer } }];
  const delayMs = RETRY_DELAYS_MS[attempt - 1];
  const nextAttemptAt = delayMs === undefined ? null : isoTime(now + delayMs);
  return [{ type: 'DeliveryAttemptFailed', data: { attempt, ...answer, next_attempt_at: nextAttemptAt } }];
}

function evolve(state: WebhookDelivery, event: WebhookDeliveryEvent): WebhookDelivery {
  const none = { attempts: 0, redeliveries: 0 };
  switch (event.type) {
    case 'DeliveryScheduled':
      return { status: 'scheduled', facts: event.data, ...none, next: { attempt: 1, dueAt: null } };
    case 'DeliveryWithheld':
      return { status: 'withheld', facts: event.data, ...none, next: null };
    default:
      return state.status === 'none' ? state : evolveKnown(state, event);
  }
}

function evolveKnown(state: KnownDelivery, event: AttemptEvent): WebhookDelivery {
  const { attempt } = event.data;
  switch (event.type) {
    case 'DeliverySucceeded':
      return { ...state, attempts: attempt, next: null };
    case 'DeliveryAttemptFailed': {
      const dueAt = event.data.next_attempt_at;
      return { ...state, attempts: attempt, next: dueAt === null ? null : { attempt: attempt + 1, dueAt } };
    }
    case 'RedeliverySucceeded':
    case 'RedeliveryFailed':
      return { ...state, redeliveries: state.redeliveries + 1 };
    default:
      return unreachable(event);
  }
}

export const webhookDeliveries: Aggregate<WebhookDelivery, WebhookDeliveryCommand, WebhookDeliveryEvent> = {
  category: 'webhook_delivery',
  missing: 'resource_missing',
  initial: { status: 'none' },
  decide,
  evolve,
};

/** `{evt}:{we}`: one delivery for each event and endpoint. */
export function deliveryId(eventId: string, endpointId: string): string {
  return `${eventId}:${endpointId}`;
}

export function parseDeliveryId(id: string): { readonly eventId: string; readonly endpointId: string } {
  const [eventId, endpointId, ...rest] = id.split(':');
  invariant(eventId && endpointId && rest.length === 0, `not a delivery's id: ${id}`);
  return { eventId, endpointId };
}
