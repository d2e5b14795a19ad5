import { Query } from '@nestjs/cqrs';
import type { Actor } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import type { WebhookType } from '../../webhooks/webhook-types';
import type { FieldChange } from '../../../kernel/json-changes';
import type { EvidenceFact } from './payment-evidence';
import type { CHANGES } from './payment-history';
import type { PaymentIntentResource } from './payment-intent.answer';

/** The cause of an event. The id is told for the merchant's own people and keys alone. */
export type TimelineActor = Pick<Actor, 'role' | 'type'> & { readonly id: string | null };

type Timed = {
  readonly at: string;
  /** Whether the entry came after the moment that is asked for. */
  readonly isLater: boolean;
};

export type EventEntry = Timed & {
  readonly kind: 'event';
  readonly revision: number;
  readonly type: keyof typeof CHANGES;
  readonly actor: TimelineActor;
  readonly facts: readonly EvidenceFact[];
  readonly changes: readonly FieldChange[];
};

export type WebhookEntry = Timed & {
  readonly kind: 'webhook';
  readonly id: string;
  readonly type: WebhookType;
  /** Endpoints that the event was for. */
  readonly endpoints: number;
  readonly isDelivered: boolean;
};

export type AttemptEntry = Timed & {
  readonly kind: 'attempt';
  readonly id: string;
  readonly event: string;
  readonly endpoint: string;
  /** Null for an endpoint that is deleted. */
  readonly url: string | null;
  readonly attempt: number;
  readonly trigger: 'schedule' | 'manual';
  readonly succeeded: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly latencyMs: number;
  readonly excerpt: string;
};

export type TimelineEntry = EventEntry | WebhookEntry | AttemptEntry;

/** Steps that the payment takes as it is now. */
export type PaymentSteps = {
  /** Its review waits for a decision. */
  readonly decides: boolean;
  /** A transfer can be named for it. */
  readonly takesTransfer: boolean;
};

export type PaymentTimeline = {
  readonly now: PaymentIntentResource;
  readonly steps: PaymentSteps;
  /** The answer as it was at the moment that is asked for; confirmations are those that the events prove. */
  readonly asOf: {
    readonly revision: number;
    readonly at: string;
    readonly isNewest: boolean;
    /** The payment's money was rejected, by compliance or in review. */
    readonly isRejected: boolean;
    readonly payment: PaymentIntentResource;
  };
  readonly revisions: number;
  /** Events before the first one that is shown. */
  readonly earlier: number;
  /** Events behind the last one that is shown. */
  readonly later: number;
  /** In the order of time. */
  readonly entries: readonly TimelineEntry[];
};

/** A moment of a payment: one of its revisions, or a time. */
export type Moment = { readonly revision: number } | { readonly time: string };

/**
 * The payment's events with their evidence, and its webhooks with their attempts. Throws Refusal payment_not_found.
 * Throws Refusal parameter_invalid for a moment at which there was no payment.
 */
export class GetPaymentTimeline extends Query<PaymentTimeline> {
  constructor(
    readonly paymentIntent: string,
    readonly reader: {
      readonly merchantId: string;
      readonly mode: Mode;
      /** Milliseconds by the merchant's clock. */
      readonly nowMs: number;
    },
    /** Null for the newest. */
    readonly moment: Moment | null,
  ) {
    super();
  }
}
