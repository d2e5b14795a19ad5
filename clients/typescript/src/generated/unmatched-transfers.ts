// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';

/** Money that reached a wallet of yours and is counted for no payment */
export interface UnmatchedTransfer {
  readonly id: string;
  readonly object: 'unmatched_transfer';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /**
   * attribution_failed: it was given to a payment that could not take it; support opens it again. set_aside:
   * you took it out of the queue; only the answer to that shows it.
   */
  readonly status: 'unmatched' | 'attribution_failed' | 'set_aside';
  /**
   * no_reservation: nobody was asked for this amount then. credit_refused: its payment could not take it any
   * more. too_many_waiting: its payment could not be decided on yet, and too many transfers waited for that.
   * given_up: support ended such a wait. reopened: support took it back from a payment.
   */
  readonly reason: 'no_reservation' | 'credit_refused' | 'too_many_waiting' | 'given_up' | 'reopened' | null;
  readonly set_aside: {
    /** returned: the money went back to its sender. kept: you keep it. */
    readonly outcome: 'returned' | 'kept';
    /** Your note */
    readonly note: string;
  } | null;
  readonly network_id: 'tron' | 'bnb' | 'base';
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  readonly asset_symbol: 'USDT' | 'USDC';
  /** 0x and 64 hex characters; on tron 64 without 0x */
  readonly tx_hash: string;
  /** Which transfer of its transaction */
  readonly log_index: number;
  /** The sender */
  readonly from: string;
  /** Your wallet */
  readonly to: string;
  /** Amount that has come */
  readonly token_amount: string;
  /** The block that holds it */
  readonly block_number: number;
  /** By the chain */
  readonly block_time: string;
  /** Payments of yours it may be for, the likeliest first */
  readonly candidates: readonly {
    readonly payment_intent: string;
    /** Why it may be this one, in plain words */
    readonly reason: string;
    /** How far the transfer is from what was asked for, in the token */
    readonly distance: string;
  }[];
  readonly created: string;
}

export interface SetAsideRequest {
  readonly outcome: 'returned' | 'kept';
  /** For whoever reads this later */
  readonly note: string;
}

export interface UnmatchedTransfersListQuery {
  readonly network_id?: 'tron' | 'bnb' | 'base';
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class UnmatchedTransfersResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List transfers that match no payment, newest first */
  list(query?: UnmatchedTransfersListQuery, options?: RequestOptions): List<UnmatchedTransfer> {
    return this.#requester.list({ path: '/v1/unmatched_transfers', query }, options);
  }

  /** Retrieve a transfer that matches no payment */
  retrieve(id: string, options?: RequestOptions): Promise<UnmatchedTransfer> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/unmatched_transfers/${id}` }, options);
  }

  /** Take a transfer out of the queue without a payment */
  setAside(id: string, body: SetAsideRequest, options?: RequestOptions): Promise<UnmatchedTransfer> {
    return this.#requester.send(
      { method: 'POST', path: urlPath`/v1/unmatched_transfers/${id}/set_aside`, body },
      options,
    );
  }
}
