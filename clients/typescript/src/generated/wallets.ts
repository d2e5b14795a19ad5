// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';

/** An address of yours that payments go to */
export interface Wallet {
  readonly id: string;
  readonly object: 'wallet';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  readonly network_id: 'tron' | 'bnb' | 'base';
  /** In its checksummed form */
  readonly address: string;
  /** Your name for it */
  readonly label: string;
  /** As you have declared */
  readonly controls_private_key: boolean;
  /**
   * As you have declared: the address receives nothing but payments of this service. Only then does a transfer
   * whose amount is a little off confirm its payment by itself. At a shared wallet the payment is underpaid
   * until you accept it
   */
  readonly dedicated: boolean;
  /** A pending one gets no quotes */
  readonly status: 'pending' | 'verified';
  readonly verification: {
    readonly method: 'signed_message' | 'micro_deposit';
    readonly verified_at: string;
  } | null;
  readonly created: string;
}

export interface RegisterWalletRequest {
  readonly network_id: 'tron' | 'bnb' | 'base';
  /** 0x and 40 hex characters; on tron 34 characters of base58check, or 41 and 40 hex. */
  readonly address: string;
  /** Your name for it */
  readonly label: string;
  /** That nobody else, an exchange for one, holds the key of this address. */
  readonly controls_private_key: boolean;
}

export interface ChangeWalletRequest {
  readonly label?: string;
  /**
   * That the address receives nothing but payments of this service: no other sales, no top-ups of yours,
   * nothing from friends or exchanges. True lets a transfer whose amount is a little off confirm its payment
   * by itself. A customer who can predict a deposit to a shared wallet could otherwise get goods for it: never
   * declare a shared wallet dedicated
   */
  readonly dedicated?: boolean;
}

export interface WalletChallengeRequest {
  readonly method: 'signed_message' | 'micro_deposit';
}

/** Of signed_message: the text to sign, to the letter */
export interface SigningChallenge {
  /** To be signed with the key of the address, and given back unedited */
  readonly challenge: string;
  /** 30 minutes after it was issued */
  readonly expires_at: string;
}

/** Of micro_deposit: what to send from the address, exactly */
export interface DepositChallenge {
  /** Where to send it */
  readonly address: string;
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  /** In whole tokens */
  readonly token_amount: string;
  /** 30 minutes after it was issued */
  readonly expires_at: string;
}

export interface VerifyWalletRequest {
  readonly method: 'signed_message' | 'micro_deposit';
  /** Of signed_message: over the challenge, as hex. */
  readonly signature?: string | null;
  /** The challenge, unedited. */
  readonly challenge?: string | null;
}

export interface WalletsListQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class WalletsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the wallets of this mode, newest first */
  list(query?: WalletsListQuery, options?: RequestOptions): List<Wallet> {
    return this.#requester.list({ path: '/v1/wallets', query }, options);
  }

  /** Register a receiving address; it gets no quotes until it is verified */
  create(body: RegisterWalletRequest, options?: RequestOptions): Promise<Wallet> {
    return this.#requester.send({ method: 'POST', path: '/v1/wallets', body }, options);
  }

  /** Retrieve a wallet */
  retrieve(id: string, options?: RequestOptions): Promise<Wallet> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/wallets/${id}` }, options);
  }

  /** Give a wallet another label, or declare whether it is dedicated to this service */
  update(id: string, body?: ChangeWalletRequest, options?: RequestOptions): Promise<Wallet> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/wallets/${id}`, body }, options);
  }

  /** Ask for what proves control of the address; it can be answered for 30 minutes */
  challenge(
    id: string,
    body: WalletChallengeRequest,
    options?: RequestOptions,
  ): Promise<SigningChallenge | DepositChallenge> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/wallets/${id}/challenge`, body }, options);
  }

  /** Prove control of the address */
  verify(id: string, body: VerifyWalletRequest, options?: RequestOptions): Promise<Wallet> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/wallets/${id}/verify`, body }, options);
  }
}
