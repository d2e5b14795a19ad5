// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';
import type { PaymentIntent } from './shared';

/** An address that opens a new payment each time somebody pays */
export interface PaymentLink {
  readonly id: string;
  readonly object: 'payment_link';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** False once it was deactivated; one that is spent or has ended opens no payments either */
  readonly active: boolean;
  readonly kind: 'fixed' | 'open';
  /** ISO 4217 */
  readonly currency: string;
  /** Decimals of the currency */
  readonly currency_decimals: number;
  /** Minor units; null for an open link */
  readonly amount: string | null;
  /** Minor units; null for a fixed link */
  readonly min_amount: string | null;
  /** Minor units; null for a fixed link */
  readonly max_amount: string | null;
  /** Shown to customers */
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null: the account’s default */
  readonly success_url: string | null;
  /** Null: no limit */
  readonly max_uses: number | null;
  /** Null: no end */
  readonly expires_at: string | null;
  /** Payments that were opened from it */
  readonly use_count: number;
  /** The page for customers */
  readonly url: string;
  readonly created: string;
  readonly deactivated_at: string | null;
}

export interface CreatePaymentLinkRequest {
  /** Fixed: you name the amount. Open: each customer chooses one within your bounds. */
  readonly kind: 'fixed' | 'open';
  /** ISO 4217, three uppercase letters */
  readonly currency: string;
  /** For a fixed link: whole minor units of `currency` */
  readonly amount?: string | number | null;
  /** For an open link: the least that a customer may choose */
  readonly min_amount?: string | number | null;
  /** For an open link: the most that a customer may choose */
  readonly max_amount?: string | number | null;
  /** Subject of the payments; shown to customers */
  readonly description?: string | null;
  /** Up to 20 short strings of your own, given back on every read and delivery */
  readonly metadata?: Readonly<Record<string, string>> | null;
  /** Where customers are sent after checkout; by default the account’s `default_success_url` */
  readonly success_url?: string | null;
  /** The greatest number of payments */
  readonly max_uses?: number | null;
  /** The link opens no payments from then on */
  readonly expires_at?: string | null;
}

export interface OpenPaymentLinkRequest {
  /** For an open link: the amount that the customer chose */
  readonly amount?: string | number | null;
}

export interface PaymentLinksListQuery {
  readonly active?: 'true' | 'false';
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class PaymentLinksResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List links, newest first */
  list(query?: PaymentLinksListQuery, options?: RequestOptions): List<PaymentLink> {
    return this.#requester.list({ path: '/v1/payment_links', query }, options);
  }

  /** Make a link that customers pay by, with a fixed or an open amount */
  create(body: CreatePaymentLinkRequest, options?: RequestOptions): Promise<PaymentLink> {
    return this.#requester.send({ method: 'POST', path: '/v1/payment_links', body }, options);
  }

  /** Retrieve a link */
  retrieve(id: string, options?: RequestOptions): Promise<PaymentLink> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/payment_links/${id}` }, options);
  }

  /** End a link for good; payments that it has opened go on */
  deactivate(id: string, options?: RequestOptions): Promise<PaymentLink> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/payment_links/${id}/deactivate` }, options);
  }

  /** Open a payment from a link, which counts one use */
  createPaymentIntent(id: string, body?: OpenPaymentLinkRequest, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send(
      { method: 'POST', path: urlPath`/v1/payment_links/${id}/payment_intents`, body },
      options,
    );
  }
}
