// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';

/** A bill of the service for your fees in one currency */
export interface FeeInvoice {
  readonly id: string;
  readonly object: 'fee_invoice';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** Consecutive for your account */
  readonly number: string;
  /** ISO 4217 */
  readonly currency: string;
  /** The exponent of the currency */
  readonly currency_decimals: number;
  /** In minor units */
  readonly amount: string;
  readonly status: 'open' | 'paid';
  /** 30 days after it was made; where it is not paid 14 days later, live mode takes no new payments */
  readonly due_at: string;
  readonly paid_at: string | null;
  readonly created: string;
}

export interface FeeInvoicesListQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class FeeInvoicesResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List fee invoices, newest first; test mode has none */
  list(query?: FeeInvoicesListQuery, options?: RequestOptions): List<FeeInvoice> {
    return this.#requester.list({ path: '/v1/fee_invoices', query }, options);
  }

  /** Retrieve a fee invoice */
  retrieve(id: string, options?: RequestOptions): Promise<FeeInvoice> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/fee_invoices/${id}` }, options);
  }
}
