// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';

/** A key, without its secret */
export interface ApiKey {
  readonly id: string;
  readonly object: 'api_key';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** Secret, publishable or restricted */
  readonly kind: 'sk' | 'pk' | 'rk';
  /** Your name for it */
  readonly name: string | null;
  readonly scopes: readonly (
    | 'payment:create'
    | 'payment:read'
    | 'invoice:create'
    | 'invoice:read'
    | 'key:manage'
    | 'key:read'
    | 'webhook:manage'
    | 'webhook:read'
    | 'fee:read'
    | 'settings:manage'
    | 'settings:read'
    | 'wallet:manage'
    | 'wallet:read'
    | 'route:manage'
    | 'route:read'
    | 'webhook_url:manage'
    | 'request_log:read'
  )[];
  readonly denied: readonly (
    'payment.cancel' | 'payment.decide' | 'transfer.attribute' | 'transfer.set_aside' | 'link.manage' | 'export.create'
  )[];
  /** The last four characters of the secret */
  readonly last4: string;
  readonly status: 'active' | 'rotating' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface MintApiKeyRequest {
  /** Secret, publishable or restricted. */
  readonly kind: 'sk' | 'pk' | 'rk';
  readonly name?: string | null;
  /** Each among the scopes of the calling key. */
  readonly scopes: readonly (
    | 'payment:create'
    | 'payment:read'
    | 'invoice:create'
    | 'invoice:read'
    | 'key:manage'
    | 'key:read'
    | 'webhook:manage'
    | 'webhook:read'
    | 'fee:read'
    | 'settings:manage'
    | 'settings:read'
    | 'wallet:manage'
    | 'wallet:read'
    | 'route:manage'
    | 'route:read'
    | 'webhook_url:manage'
    | 'request_log:read'
  )[];
  /** No later than the end of the calling key, if that has one */
  readonly expires_at?: string | null;
}

/** A key as it is made */
export interface IssuedApiKey {
  readonly id: string;
  readonly object: 'api_key';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** Secret, publishable or restricted */
  readonly kind: 'sk' | 'pk' | 'rk';
  /** Your name for it */
  readonly name: string | null;
  readonly scopes: readonly (
    | 'payment:create'
    | 'payment:read'
    | 'invoice:create'
    | 'invoice:read'
    | 'key:manage'
    | 'key:read'
    | 'webhook:manage'
    | 'webhook:read'
    | 'fee:read'
    | 'settings:manage'
    | 'settings:read'
    | 'wallet:manage'
    | 'wallet:read'
    | 'route:manage'
    | 'route:read'
    | 'webhook_url:manage'
    | 'request_log:read'
  )[];
  readonly denied: readonly (
    'payment.cancel' | 'payment.decide' | 'transfer.attribute' | 'transfer.set_aside' | 'link.manage' | 'export.create'
  )[];
  /** The last four characters of the secret */
  readonly last4: string;
  readonly status: 'active' | 'rotating' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** The key itself, shown this once */
  readonly secret: string;
}

export interface ApiKeysListQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class ApiKeysResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the keys of this mode, newest first, without their secrets */
  list(query?: ApiKeysListQuery, options?: RequestOptions): List<ApiKey> {
    return this.#requester.list({ path: '/v1/api_keys', query }, options);
  }

  /** Mint a key in the mode of the calling key; its secret is shown this once */
  create(body: MintApiKeyRequest, options?: RequestOptions): Promise<IssuedApiKey> {
    return this.#requester.send({ method: 'POST', path: '/v1/api_keys', body }, options);
  }

  /** Retrieve a key, without its secret */
  retrieve(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/api_keys/${id}` }, options);
  }

  /** Answer a successor with its secret; the old key works for 7 days more */
  rotate(id: string, options?: RequestOptions): Promise<IssuedApiKey> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/api_keys/${id}/rotate` }, options);
  }

  /** End a key at once and for good; a key ends none that has more scopes */
  revoke(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/api_keys/${id}/revoke` }, options);
  }
}
