// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/** Where the money for one asset on one network lands */
export interface Route {
  readonly id: string;
  readonly object: 'route';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  readonly asset_symbol: 'USDT' | 'USDC';
  readonly network_id: 'tron' | 'bnb' | 'base';
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  readonly wallet_id: string;
  /** Until then it cannot be changed again; null when it can */
  readonly cooling_down_until: string | null;
  readonly created: string;
  readonly updated_at: string;
}

export interface SetRoutesRequest {
  readonly routes: readonly RouteEntryRequest[];
}

/** One page of objects; while has_more is true, the id of the last one is the next page's starting_after. */
export interface RouteList {
  readonly object: 'list';
  /** The path of this list */
  readonly url: string;
  readonly has_more: boolean;
  readonly data: readonly Route[];
}

export interface RouteEntryRequest {
  readonly asset_symbol: 'USDT' | 'USDC';
  readonly network_id: 'tron' | 'bnb' | 'base';
  /** A verified wallet on this network. */
  readonly wallet_id: string;
}

export interface RoutesListQuery {
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class RoutesResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the routes of this mode, newest first */
  list(query?: RoutesListQuery, options?: RequestOptions): List<Route> {
    return this.#requester.list({ path: '/v1/routes', query }, options);
  }

  /** Set the routes of the pairs named, all or none; other pairs stay as they are */
  set(body: SetRoutesRequest, options?: RequestOptions): Promise<RouteList> {
    return this.#requester.send({ method: 'PUT', path: '/v1/routes', body }, options);
  }
}
