import type { WebhookType } from './webhook-types';

/**
 * The facts of a delivery. Event and endpoint are in the stream's name. The body is no part of these facts; the
 * payment's own stream tells it up to `payment_revision`. The part of a stream up to a revision never changes.
 */
export type DeliveryFacts = {
  readonly event_type: WebhookType;
  readonly payment_intent: string;
  readonly payment_revision: number;
  /** Unix seconds of the payment's event, by the mode's clock. */
  readonly created: number;
};

/** The receiver's answer. Where there was none, `status_code` is null and `error` tells the reason. */
export type Answer = {
  readonly status_code: number | null;
  readonly error: string | null;
  readonly latency_ms: number;
  /** At most 1,024 characters. */
  readonly response_excerpt: string;
};

/**
 * The number among the schedule's attempts, from 1. A redelivery has the number of the attempt that it stands beside.
 */
type Numbered = { readonly attempt: number };

type DeliveryScheduled = { readonly type: 'DeliveryScheduled'; readonly data: DeliveryFacts };
/** The endpoint was disabled as the event arose: nothing is sent unless somebody asks for it. */
type DeliveryWithheld = { readonly type: 'DeliveryWithheld'; readonly data: DeliveryFacts };
/** The schedule's attempt reached the receiver: the schedule is over. */
type DeliverySucceeded = { readonly type: 'DeliverySucceeded'; readonly data: Numbered & Answer };
type DeliveryAttemptFailed = {
  readonly type: 'DeliveryAttemptFailed';
  /** `next_attempt_at` is null after the last attempt. */
  readonly data: Numbered & Answer & { readonly next_attempt_at: string | null };
};
/** Reserves a redelivery before it is made. `redelivery` is its number among the delivery's redeliveries, from 1. */
type RedeliveryRequested = {
  readonly type: 'RedeliveryRequested';
  readonly data: { readonly redelivery: number };
};
/** A redelivery succeeded. The schedule beside it goes on as if there had been none. */
type RedeliverySucceeded = { readonly type: 'RedeliverySucceeded'; readonly data: Numbered & Answer };
type RedeliveryFailed = { readonly type: 'RedeliveryFailed'; readonly data: Numbered & Answer };

export type AttemptEvent = DeliverySucceeded | DeliveryAttemptFailed | RedeliverySucceeded | RedeliveryFailed;
export type WebhookDeliveryEvent = DeliveryScheduled | DeliveryWithheld | RedeliveryRequested | AttemptEvent;
