// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';

/** Where events are sent, with the secrets that sign now but not their text */
export interface WebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** Where deliveries go, as it was given */
  readonly url: string;
  /** Your name for it */
  readonly description: string | null;
  readonly enabled_events: readonly (
    | '*'
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
    | 'refund.failed'
  )[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: 'disabled_by_merchant' | 'sustained_failure' | null;
  /** Pinned when the endpoint was created */
  readonly api_version: '2026-11-01' | '2026-11-15';
  readonly secrets: readonly {
    readonly id: string;
    readonly created: string;
    /** Null for the newest one */
    readonly expires_at: string | null;
  }[];
  readonly created: string;
}

export interface CreateWebhookEndpointRequest {
  /** Public https, at a port that the operator has opened; in test mode http as well */
  readonly url: string;
  /** Types, or `*` alone for all */
  readonly enabled_events: readonly (
    | '*'
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
    | 'refund.failed'
  )[];
  readonly description?: string | null;
}

/** An endpoint with a new signing secret */
export interface IssuedWebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** Where deliveries go, as it was given */
  readonly url: string;
  /** Your name for it */
  readonly description: string | null;
  readonly enabled_events: readonly (
    | '*'
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
    | 'refund.failed'
  )[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: 'disabled_by_merchant' | 'sustained_failure' | null;
  /** Pinned when the endpoint was created */
  readonly api_version: '2026-11-01' | '2026-11-15';
  readonly secrets: readonly {
    readonly id: string;
    readonly created: string;
    /** Null for the newest one */
    readonly expires_at: string | null;
  }[];
  readonly created: string;
  /** The signing secret, shown this once */
  readonly secret: string;
}

export interface ChangeWebhookEndpointRequest {
  /** Needs the scope webhook_url:manage */
  readonly url?: string;
  /** Types, or `*` alone for all */
  readonly enabled_events?: readonly (
    | '*'
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
    | 'refund.failed'
  )[];
  readonly description?: string | null;
  readonly status?: 'enabled' | 'disabled';
}

/** One attempt to deliver an event, and what came of it */
export interface DeliveryAttempt {
  readonly id: string;
  readonly object: 'delivery_attempt';
  readonly event: string;
  readonly endpoint: string;
  /** From 1 to 8 */
  readonly attempt: number;
  readonly trigger: 'schedule' | 'manual';
  /** Null when there was no answer */
  readonly status_code: number | null;
  /** Why there was no answer */
  readonly error: string | null;
  /** Milliseconds until the answer or its failure */
  readonly latency_ms: number;
  /** The first 1,024 characters of the answer */
  readonly response_excerpt: string;
  readonly created: string;
}

export interface WebhookEndpointsListQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export interface WebhookEndpointsDeliveriesQuery {
  readonly event?: string;
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class WebhookEndpointsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the endpoints of this mode, newest first */
  list(query?: WebhookEndpointsListQuery, options?: RequestOptions): List<WebhookEndpoint> {
    return this.#requester.list({ path: '/v1/webhook_endpoints', query }, options);
  }

  /** Create an endpoint; its signing secret is shown this once */
  create(body: CreateWebhookEndpointRequest, options?: RequestOptions): Promise<IssuedWebhookEndpoint> {
    return this.#requester.send({ method: 'POST', path: '/v1/webhook_endpoints', body }, options);
  }

  /** Retrieve an endpoint */
  retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/webhook_endpoints/${id}` }, options);
  }

  /** Change an endpoint; what the body leaves out stays as it is */
  update(id: string, body?: ChangeWebhookEndpointRequest, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/webhook_endpoints/${id}`, body }, options);
  }

  /** Make a new signing secret, shown this once; the old one signs beside it for 24 hours */
  rollSecret(id: string, options?: RequestOptions): Promise<IssuedWebhookEndpoint> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/webhook_endpoints/${id}/roll_secret` }, options);
  }

  /** List the attempts of an endpoint, newest first, or those of one event */
  deliveries(id: string, query?: WebhookEndpointsDeliveriesQuery, options?: RequestOptions): List<DeliveryAttempt> {
    return this.#requester.list({ path: urlPath`/v1/webhook_endpoints/${id}/deliveries`, query }, options);
  }
}
