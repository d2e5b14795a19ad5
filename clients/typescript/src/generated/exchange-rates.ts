// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/** A currency that payments can be asked in */
export interface ExchangeRate {
  /** The code of the currency */
  readonly id: string;
  /** ISO 4217 */
  readonly currency: string;
  /** The exponent of the currency */
  readonly currency_decimals: number;
  readonly rates: readonly {
    readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
    /** Token units for one major unit of the currency */
    readonly rate: string;
    /** Of the oldest observation in it */
    readonly observed_at: string;
    readonly sources: readonly string[];
  }[];
}

export interface ExchangeRatesListQuery {
  readonly currency?: string;
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class ExchangeRatesResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List the currencies that payments can be asked in, with their rates of this moment */
  list(query?: ExchangeRatesListQuery, options?: RequestOptions): List<ExchangeRate> {
    return this.#requester.list({ path: '/v1/exchange_rates', query }, options);
  }
}
