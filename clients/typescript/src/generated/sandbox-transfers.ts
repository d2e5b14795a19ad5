// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

export interface SendSandboxTransferRequest {
  /** A payment whose token is chosen. */
  readonly payment_intent: string;
  readonly outcome: 'exact' | 'short' | 'over' | 'late' | 'reorged' | 'reverted' | 'wrong_token';
  /** Amount that `short` and `over` send; left out, a half and one and a half of the amount due */
  readonly token_amount?: string | null;
  /** Whether `short` and `over` file the transaction for the payment */
  readonly claim?: boolean;
}

/** A transfer of a sandbox customer on the local chain */
export interface SandboxTransfer {
  readonly object: 'sandbox_transfer';
  readonly mode: 'test';
  readonly payment_intent: string;
  readonly outcome: 'exact' | 'short' | 'over' | 'late' | 'reorged' | 'reverted' | 'wrong_token';
  readonly network_id: 'tron' | 'bnb' | 'base';
  /** The transaction */
  readonly tx_hash: string;
  /** Amount that was sent */
  readonly token_amount: string;
}

export class SandboxTransfersResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Play the customer: send tokens for a payment on the local chain */
  create(body: SendSandboxTransferRequest, options?: RequestOptions): Promise<SandboxTransfer> {
    return this.#requester.send({ method: 'POST', path: '/v1/sandbox/transfers', body }, options);
  }
}
