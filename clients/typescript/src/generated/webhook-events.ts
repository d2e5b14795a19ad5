// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';
import type { PaymentIntent } from './shared';

/** An event for endpoints, and how its deliveries stand */
export interface WebhookEvent {
  /** The same in every attempt: handle each once */
  readonly id: string;
  readonly type:
    | 'payment.created'
    | 'payment.detected'
    | 'payment.confirming'
    | 'payment.confirmed'
    | 'payment.underpaid'
    | 'payment.overpaid'
    | 'payment.paid_late'
    | 'payment.expired'
    | 'payment.canceled'
    | 'payment.failed'
    | 'refund.created'
    | 'refund.succeeded'
    | 'refund.failed';
  /** Unix seconds */
  readonly created: number;
  readonly api_version: '2026-11-01' | '2026-11-15';
  readonly data: PaymentIntent;
  readonly object: 'webhook_event';
  readonly deliveries: readonly {
    readonly endpoint: string;
    /** Withheld: nothing is sent by itself, since the endpoint was disabled or did not want the event as it arose */
    readonly status: 'pending' | 'delivered' | 'exhausted' | 'withheld';
    /** Attempts of the schedule made so far, 8 at most */
    readonly attempts: number;
    /** Attempts by hand made so far, 100 at most */
    readonly manual_attempts: number;
    /** Null when none is to come */
    readonly next_attempt_at: string | null;
  }[];
}

export interface RedeliverRequest {
  /** To which endpoint */
  readonly endpoint: string;
}

export interface WebhookEventsListQuery {
  readonly delivered?: 'true' | 'false';
  readonly type?:
    | 'payment.created'
    | 'payment.detected'
    | 'payment.confirming'
    | 'payment.confirmed'
    | 'payment.underpaid'
    | 'payment.overpaid'
    | 'payment.paid_late'
    | 'payment.expired'
    | 'payment.canceled'
    | 'payment.failed'
    | 'refund.created'
    | 'refund.succeeded'
    | 'refund.failed';
  readonly payment_intent?: string;
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class WebhookEventsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the events of the account, newest first, whoever listened */
  list(query?: WebhookEventsListQuery, options?: RequestOptions): List<WebhookEvent> {
    return this.#requester.list({ path: '/v1/webhook_events', query }, options);
  }

  /** Retrieve an event, as it was and will be delivered */
  retrieve(id: string, options?: RequestOptions): Promise<WebhookEvent> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/webhook_events/${id}` }, options);
  }

  /** Make an attempt now, beside the schedule; answers when it was made */
  redeliver(id: string, body: RedeliverRequest, options?: RequestOptions): Promise<WebhookEvent> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/webhook_events/${id}/redeliver`, body }, options);
  }
}
