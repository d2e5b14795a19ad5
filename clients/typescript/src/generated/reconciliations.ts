// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/** One day of a wallet, as the chain and the service have it */
export interface Reconciliation {
  readonly id: string;
  readonly object: 'reconciliation';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  readonly wallet: string;
  readonly network_id: 'tron' | 'bnb' | 'base';
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  readonly asset_symbol: 'USDT' | 'USDC';
  /** In UTC, by the times of the blocks */
  readonly day: string;
  /** pending: the day has ended, and its blocks are not all read yet */
  readonly status: 'pending' | 'balanced' | 'different';
  /** Balance at the last final block of the day before; null where none was observed */
  readonly opening: string | null;
  /** Came for payments of yours. Null while the day is pending */
  readonly credited: string | null;
  /**
   * Came for no payment: it was in the queue, or set aside, when the day was closed. Null while the day is
   * pending
   */
  readonly unmatched: string | null;
  /**
   * Came from yourself, for another account at the same address, or before the wallet was watched. Null while
   * the day is pending
   */
  readonly unrelated: string | null;
  /** Came in transfers below 0.01 token that nobody asked for. Null while the day is pending */
  readonly dust: string | null;
  /** Left the wallet. Null while the day is pending */
  readonly sent: string | null;
  /** Balance at the last final block of the day; null where no provider could tell it */
  readonly closing: string | null;
  /**
   * closing = opening + credited + unmatched + unrelated + dust − sent + difference. Where a balance is null,
   * the difference of the transfers alone
   */
  readonly difference: string | null;
  /** Transfers of the wallet on the chain */
  readonly transfers: number | null;
  /** Each difference by its name, at most 100 */
  readonly differences: readonly {
    /**
     * unknown_transfer: the chain has it, the service does not. missing_transfer: the service counts it, the
     * chain does not have it. other_value: both have it, with different values. balance: the balance moved by
     * more or less than all transfers.
     */
    readonly kind: 'unknown_transfer' | 'missing_transfer' | 'other_value' | 'balance';
    /** Amount that the chain has beyond the service */
    readonly token_amount: string;
    /** Null for a balance */
    readonly tx_hash: string | null;
    /** Which transfer of its transaction */
    readonly log_index: number | null;
  }[];
}

export interface ReconciliationsListQuery {
  readonly wallet?: string;
  readonly from?: string;
  readonly to?: string;
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class ReconciliationsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Compare each wallet’s balance on the chain with what the service knows, by token and day */
  list(query?: ReconciliationsListQuery, options?: RequestOptions): List<Reconciliation> {
    return this.#requester.list({ path: '/v1/reconciliations', query }, options);
  }
}
