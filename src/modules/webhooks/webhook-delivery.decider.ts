import { HOUR_MS, isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { invariant, unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { Answer, DeliveryFacts, WebhookDeliveryEvent } from './webhook-delivery.events';

/** The delay from each attempt to the next one: attempt 1 is made at once, attempt 8 is the last. */
export const RETRY_DELAYS_MS = [
  MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS,
] as const; // prettier-ignore
export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;
/** Redeliveries that one delivery takes. */
export const MAX_REDELIVERIES = 100;

export type WebhookDelivery =
  | { readonly status: 'none' }
  | {
      /** `withheld`: the endpoint was disabled as the event arose, so there is no schedule. */
      readonly status: 'scheduled' | 'withheld';
      readonly facts: DeliveryFacts;
      /** Attempts of the schedule; redeliveries are counted apart. */
      readonly attempts: number;
      /** Redeliveries: requested, and made. */
      readonly redeliveries: { readonly requested: number; readonly made: number };
      /** The schedule's next attempt, at once where `dueAt` is null; null when the schedule is over. */
      readonly next: { readonly attempt: number; readonly dueAt: string | null } | null;
    };

export type KnownDelivery = Exclude<WebhookDelivery, { readonly status: 'none' }>;

export type WebhookDeliveryCommand =
  | { readonly type: 'schedule' | 'withhold'; readonly facts: DeliveryFacts }
  /** `opening`: the fate of a delivery that is not open yet. */
  | { readonly type: 'request_redelivery'; readonly opening: 'schedule' | 'withhold'; readonly facts: DeliveryFacts }
  | { readonly type: 'record_attempt'; readonly attempt: number; readonly answer: Answer }
  | { readonly type: 'record_redelivery'; readonly redelivery: number; readonly answer: Answer };

/** An attempt that is to be made now: the schedule's, or a redelivery. */
export type DueAttempt =
  | { readonly trigger: 'schedule'; readonly attempt: number }
  | { readonly trigger: 'manual'; readonly redelivery: number };

/** A status is a success only if it is 2xx. */
export function isDelivered(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode <= 299;
}

/**
 * The attempt to be made at `now`; null for none. The schedule comes first, so that no number of requests delays it.
 */
export function dueAttempt({ next, redeliveries }: KnownDelivery, now: number): DueAttempt | null {
  if (next && (next.dueAt === null || parseIsoTime(next.dueAt) <= now)) {
    return { trigger: 'schedule', attempt: next.attempt };
  }
  const { requested, made } = redeliveries;
  return made < requested ? { trigger: 'manual', redelivery: made + 1 } : null;
}

/** `context.now` is the time of the attempt; the next attempt is counted from there. */
function decide(
  command: WebhookDeliveryCommand,
  state: WebhookDelivery,
  { now }: DecisionContext,
): readonly WebhookDeliveryEvent[] {
  switch (command.type) {
    case 'schedule':
    case 'withhold':
      return state.status === 'none' ? [opened(command.type, command.facts)] : [];
    case 'request_redelivery':
      return decideRequest(command.opening, command.facts, state);
    case 'record_attempt':
      return decideAttempt(command.attempt, command.answer, known(state), now);
    case 'record_redelivery':
      return decideRedelivery(command.redelivery, command.answer, known(state));
    default:
      return unreachable(command);
  }
}

function opened(type: 'schedule' | 'withhold', data: DeliveryFacts): WebhookDeliveryEvent {
  return { type: type === 'schedule' ? 'DeliveryScheduled' : 'DeliveryWithheld', data };
}

/** Throws Refusal attempt_exhausted. */
function decideRequest(
  opening: 'schedule' | 'withhold',
  facts: DeliveryFacts,
  state: WebhookDelivery,
): readonly WebhookDeliveryEvent[] {
  const openings = state.status === 'none' ? [opened(opening, facts)] : [];
  const { attempts, redeliveries } = known(openings.reduce(evolve, state));
  if (attempts >= MAX_ATTEMPTS) throw refuse('attempt_exhausted');
  if (redeliveries.requested >= MAX_REDELIVERIES) {
    const message = `A delivery takes ${MAX_REDELIVERIES} attempts by hand; fetch the event from the API.`;
    throw refuse('attempt_exhausted', { message });
  }
  return [...openings, { type: 'RedeliveryRequested', data: { redelivery: redeliveries.requested + 1 } }];
}

function decideRedelivery(
  redelivery: number,
  answer: Answer,
  { attempts, redeliveries: { requested, made } }: KnownDelivery,
): readonly WebhookDeliveryEvent[] {
  if (!Number.isInteger(redelivery) || redelivery < 1 || redelivery > requested) throw refuse('invalid_attempt');
  // Two processes made the attempt at once, and the other one recorded it first.
  if (redelivery !== made + 1) return [];
  const data = { attempt: Math.max(1, attempts), ...answer };
  return [{ type: isDelivered(answer.status_code) ? 'RedeliverySucceeded' : 'RedeliveryFailed', data }];
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
  // Two processes made the attempt at once, and the other one recorded it first.
  if (next?.attempt !== attempt) return [];
  if (isDelivered(answer.status_code)) return [{ type: 'DeliverySucceeded', data: { attempt, ...answer } }];
  const delayMs = RETRY_DELAYS_MS[attempt - 1];
  const nextAttemptAt = delayMs === undefined ? null : isoTime(now + delayMs);
  return [{ type: 'DeliveryAttemptFailed', data: { attempt, ...answer, next_attempt_at: nextAttemptAt } }];
}

function evolve(state: WebhookDelivery, event: WebhookDeliveryEvent): WebhookDelivery {
  const none = { attempts: 0, redeliveries: { requested: 0, made: 0 } };
  switch (event.type) {
    case 'DeliveryScheduled':
      return { status: 'scheduled', facts: event.data, ...none, next: { attempt: 1, dueAt: null } };
    case 'DeliveryWithheld':
      return { status: 'withheld', facts: event.data, ...none, next: null };
    default:
      return state.status === 'none' ? state : evolveKnown(state, event);
  }
}

type Later = Exclude<WebhookDeliveryEvent, { readonly data: DeliveryFacts }>;

function evolveKnown(state: KnownDelivery, event: Later): WebhookDelivery {
  const { requested, made } = state.redeliveries;
  switch (event.type) {
    case 'DeliverySucceeded':
      return { ...state, attempts: event.data.attempt, next: null };
    case 'DeliveryAttemptFailed': {
      const { attempt, next_attempt_at: dueAt } = event.data;
      return { ...state, attempts: attempt, next: dueAt === null ? null : { attempt: attempt + 1, dueAt } };
    }
    case 'RedeliveryRequested':
      return { ...state, redeliveries: { requested: requested + 1, made } };
    case 'RedeliverySucceeded':
    case 'RedeliveryFailed':
      return { ...state, redeliveries: { requested, made: made + 1 } };
    default:
      return unreachable(event);
  }
}

export const webhookDeliveries: Aggregate<WebhookDelivery, WebhookDeliveryCommand, WebhookDeliveryEvent> = {
  category: 'webhook_delivery',
  notFound: 'resource_missing',
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
