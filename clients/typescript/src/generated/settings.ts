// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/** Settings of the account in the mode of the key */
export interface Settings {
  readonly object: 'settings';
  /** By how much a payment may be short and still confirm; 100 are 1% */
  readonly payment_tolerance_bps: number;
  readonly enabled_tokens: readonly ('usdt-tron' | 'usdt-bnb' | 'usdc-base')[];
  readonly brand: {
    /** Shown to customers */
    readonly name: string | null;
    /** As #rrggbb */
    readonly color: string | null;
    /** https only */
    readonly logo_url: string | null;
  };
  /** Where customers go when a payment names no place */
  readonly default_success_url: string | null;
  /** Version for requests that name none */
  readonly api_version: '2026-11-01' | '2026-11-15';
}

export interface ChangeSettingsRequest {
  /** Whole basis points; 100 are 1% */
  readonly payment_tolerance_bps?: number;
  /** At least one */
  readonly enabled_tokens?: readonly ('usdt-tron' | 'usdt-bnb' | 'usdc-base')[];
  /** A field that is left out stays as it is; null takes it away */
  readonly brand?: BrandRequest;
  /** Null takes it away */
  readonly default_success_url?: string | null;
  /** Version for requests that name none */
  readonly api_version?: '2026-11-01' | '2026-11-15';
}

export interface BrandRequest {
  readonly name?: string | null;
  readonly color?: string | null;
  /** https only */
  readonly logo_url?: string | null;
}

export class SettingsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Retrieve the account's settings in the key's mode */
  retrieve(options?: RequestOptions): Promise<Settings> {
    return this.#requester.send({ method: 'GET', path: '/v1/settings' }, options);
  }

  /** Change the account's settings in the key's mode; what the body leaves out stays as it is */
  update(body?: ChangeSettingsRequest, options?: RequestOptions): Promise<Settings> {
    return this.#requester.send({ method: 'POST', path: '/v1/settings', body }, options);
  }
}
