// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/** A row of the fee ledger; rows are added and never changed */
export interface FeeEntry {
  readonly id: string;
  readonly object: 'fee_entry';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /**
   * Rows of the first three kinds add up to the balance. A payment pays its fee invoice, and changes no
   * balance
   */
  readonly kind: 'accrual' | 'adjustment' | 'invoice' | 'payment';
  /** The payment whose fee the row books or corrects */
  readonly payment_intent: string | null;
  /** Of the kinds invoice and payment */
  readonly fee_invoice: string | null;
  /** In minor units, below zero where it lessens your fees */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  /** The exponent of the currency */
  readonly currency_decimals: number;
  /** The reason of an adjustment */
  readonly memo: string | null;
  readonly created: string;
}

/** The fees that no fee invoice asks for yet */
export interface FeeBalance {
  readonly object: 'fee_balance';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  readonly outstanding: readonly {
    /** ISO 4217 */
    readonly currency: string;
    /** The exponent of the currency */
    readonly currency_decimals: number;
    /** In minor units, below zero where adjustments gave back more */
    readonly amount: string;
  }[];
}

export interface FeesListQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class FeesResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the rows of the fee ledger of this mode, newest first */
  list(query?: FeesListQuery, options?: RequestOptions): List<FeeEntry> {
    return this.#requester.list({ path: '/v1/fees', query }, options);
  }

  /** Retrieve the fees that no fee invoice asks for yet, by currency */
  balance(options?: RequestOptions): Promise<FeeBalance> {
    return this.#requester.send({ method: 'GET', path: '/v1/fees/balance' }, options);
  }
}
