import type { WebhookType } from './webhook-types';

/**
 * The facts of a delivery. Event and endpoint are in the stream's name. The body is no part of these facts: it is the
 * payment as its own stream tells it up to `payment_revision`. The part of a stream up to a revision never changes.
 */
export type DeliveryFacts = {
  readonly event_type: WebhookType;
  readonly payment_intent: string;
  readonly payment_revision: number;
  /** Unix seconds of the payment's event, by the mode's clock. */
  readonly created: number;
};

/** What the receiver answered with; `status_code` is null and `error` says why when it did not. */
export type Answer = {
  readonly status_code: number | null;
  readonly error: string | null;
  readonly latency_ms: number;
  /** At most 1,024 characters. */
  readonly response_excerpt: string;
};

/** The number among the schedule's attempts, from 1; a redelivery has that of the attempt it stands beside. */
type Numbered = { readonly attempt: number };

export type DeliveryScheduled = { readonly type: 'DeliveryScheduled'; readonly data: DeliveryFacts };
/** The endpoint was disabled as the event arose: nothing is sent unless somebody asks for it. */
export type DeliveryWithheld = { readonly type: 'DeliveryWithheld'; readonly data: DeliveryFacts };
/** The schedule's attempt reached the receiver: the schedule is over. */
export type DeliverySucceeded = { readonly type: 'DeliverySucceeded'; readonly data: Numbered & Answer };
export type DeliveryAttemptFailed = {
  readonly type: 'DeliveryAttemptFailed';
  /** `next_attempt_at` is null after the last attempt. */
  readonly data: Numbered & Answer & { readonly next_attempt_at: string | null };
};
/** Reserves an attempt by hand before it is made. `redelivery` counts those of the delivery from 1. */
export type RedeliveryRequested = {
  readonly type: 'RedeliveryRequested';
  readonly data: { readonly redelivery: number };
};
/** An attempt by hand, beside the schedule, which goes on as if there had been none. */
export type RedeliverySucceeded = { readonly type: 'RedeliverySucceeded'; readonly data: Numbered & Answer };
export type RedeliveryFailed = { readonly type: 'RedeliveryFailed'; readonly data: Numbered & Answer };

export type AttemptEvent = DeliverySucceeded | DeliveryAttemptFailed | RedeliverySucceeded | RedeliveryFailed;
export type WebhookDeliveryEvent = DeliveryScheduled | DeliveryWithheld | RedeliveryRequested | AttemptEvent;
