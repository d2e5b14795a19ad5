// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';
import type { PaymentIntent, TransactionClaim } from './shared';

export interface CreatePaymentIntentRequest {
  /** Whole minor units of `currency`, as an integer or a string of digits */
  readonly amount: string | number;
  /** ISO 4217, three uppercase letters */
  readonly currency: string;
  /** Up to 20 short strings of your own, given back on every read and delivery */
  readonly metadata?: Readonly<Record<string, string>> | null;
  /** Subject of the payment; shown to the customer at checkout */
  readonly description?: string | null;
  /** Where the customer is sent after checkout; never a proof of payment */
  readonly success_url?: string | null;
}

/** One change in the history of a payment */
export interface PaymentIntentEvent {
  readonly id: string;
  readonly object: 'payment_intent_event';
  /** Its place in the history, from 0 */
  readonly revision: number;
  readonly type:
    | 'created'
    | 'method_selected'
    | 'transfer_seen'
    | 'transfer_moved'
    | 'transfer_dropped'
    | 'transfers_limited'
    | 'confirming'
    | 'payer_screened'
    | 'deep_enough'
    | 'settled'
    | 'remainder_asked'
    | 'accepted'
    | 'resolved'
    | 'hold_placed'
    | 'hold_released'
    | 'hold_rejected'
    | 'expired'
    | 'canceled'
    | 'failed'
    | 'lost';
  /** Role that caused the event */
  readonly actor: 'api' | 'checkout' | 'matcher' | 'watcher' | 'sweeper' | 'merchant' | 'admin' | 'compliance';
  readonly occurred_at: string;
  /**
   * The fields of each type. created: amount, currency, currency_decimals. method_selected: token_id,
   * network_id, wallet_id, address, token_amount, rate, quote_expires_at. transfer_seen: transfer, tx_hash,
   * log_index, from, token_amount, block_number, block_hash, block_time, attribution. transfer_moved:
   * transfer, block_number, block_hash, block_time. transfer_dropped: transfer, reason. transfers_limited:
   * limit. confirming: transfer, head_number. payer_screened: payer, verdict. deep_enough: transfer. settled:
   * status, received_amount, received_token_amount, surplus_token_amount. remainder_asked: token_amount,
   * reserved_until. accepted: note. resolved: resolution, note. hold_placed: payer. hold_released: none.
   * hold_rejected: none. expired: quote_expires_at. canceled: none. failed: transfer, reason. lost: transfer.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SelectMethodRequest {
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  /** A verified wallet of yours, named by the route of the token */
  readonly wallet_id: string;
}

export interface AcceptRequest {
  /** For whoever reads this later */
  readonly note?: string | null;
}

export interface ResolveRequest {
  readonly resolution: 'accepted' | 'rejected';
  /** For whoever reads this later */
  readonly note: string;
}

export interface NameTransactionRequest {
  /**
   * The transaction that paid: 0x and 64 hex characters, on tron 64 without 0x. An exchange's own number is
   * filed for support
   */
  readonly tx_hash: string;
  /** Which transfer of the transaction; needed where it holds several to your wallet */
  readonly log_index?: number | null;
}

export interface PaymentIntentsListQuery {
  readonly status?:
    | 'created'
    | 'awaiting_payment'
    | 'detected'
    | 'confirming'
    | 'confirmed'
    | 'underpaid'
    | 'overpaid'
    | 'paid_late'
    | 'expired'
    | 'canceled'
    | 'failed';
  readonly created_from?: string;
  readonly created_to?: string;
  readonly invoice?: string;
  readonly payment_link?: string;
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export interface PaymentIntentsEventsQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class PaymentIntentsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List payments, newest first */
  list(query?: PaymentIntentsListQuery, options?: RequestOptions): List<PaymentIntent> {
    return this.#requester.list({ path: '/v1/payment_intents', query }, options);
  }

  /** Ask for a payment in fiat */
  create(body: CreatePaymentIntentRequest, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send({ method: 'POST', path: '/v1/payment_intents', body }, options);
  }

  /** Retrieve a payment */
  retrieve(id: string, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/payment_intents/${id}` }, options);
  }

  /** List a payment's own history, oldest first */
  events(id: string, query?: PaymentIntentsEventsQuery, options?: RequestOptions): List<PaymentIntentEvent> {
    return this.#requester.list({ path: urlPath`/v1/payment_intents/${id}/events`, query }, options);
  }

  /** Choose the token: locks a quote for 15 minutes and reserves an exact amount */
  selectMethod(id: string, body: SelectMethodRequest, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send(
      { method: 'POST', path: urlPath`/v1/payment_intents/${id}/select_method`, body },
      options,
    );
  }

  /** Cancel a payment of which nothing has been seen on chain */
  cancel(id: string, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/payment_intents/${id}/cancel` }, options);
  }

  /** Accept an underpaid payment as paid */
  accept(id: string, body?: AcceptRequest, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/payment_intents/${id}/accept`, body }, options);
  }

  /** Decide on a payment that came short or late */
  resolve(id: string, body: ResolveRequest, options?: RequestOptions): Promise<PaymentIntent> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/payment_intents/${id}/resolve`, body }, options);
  }

  /** Name the transaction that paid */
  transaction(
    id: string,
    body: NameTransactionRequest,
    options?: RequestOptions,
  ): Promise<PaymentIntent | TransactionClaim> {
    return this.#requester.send(
      { method: 'POST', path: urlPath`/v1/payment_intents/${id}/transaction`, body },
      options,
    );
  }
}
