// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import type { TransactionClaim } from './shared';

export interface TransactionClaimsListQuery {
  readonly status?: 'pending' | 'in_review' | 'attributed' | 'refused';
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class TransactionClaimsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List transactions that were named for payments, newest first */
  list(query?: TransactionClaimsListQuery, options?: RequestOptions): List<TransactionClaim> {
    return this.#requester.list({ path: '/v1/transaction_claims', query }, options);
  }
}
