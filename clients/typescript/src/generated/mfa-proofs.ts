// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

export interface CreateMfaProofRequest {
  readonly method: 'totp';
  /** Of the authenticator app; each can be used once */
  readonly code: string;
  /** Action that the proof is for */
  readonly action: string;
}

/** Stands for a one-time code in the header `Mfa-Proof`, once */
export interface MfaProof {
  /** A secret; only the key that made it can use it */
  readonly proof: string;
  /** Action that the proof is for */
  readonly action: string;
  /** 5 minutes after it was made */
  readonly expires_at: string;
}

export class MfaProofsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Prove a one-time code beforehand, for one later call */
  create(body: CreateMfaProofRequest, options?: RequestOptions): Promise<MfaProof> {
    return this.#requester.send({ method: 'POST', path: '/v1/mfa/proofs', body }, options);
  }
}
