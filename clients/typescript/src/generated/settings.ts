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
    /** https only; PNG, JPEG or WebP */
    readonly logo_url: string | null;
  };
  /** Where customers go when a payment names no place */
  readonly default_success_url: string | null;
  /** Version for requests that name none */
  readonly api_version: '2026-11-01' | '2026-11-15';
  /** Whether a customer may start a payment anew at checkout that ended without money */
  readonly checkout_restart: boolean;
  /** Stands before the number of an invoice */
  readonly invoice_prefix: string;
  readonly reminders: readonly number[];
  /** Zone in which customers read dates */
  readonly time_zone: string;
  /** Language of the mails to customers */
  readonly customer_language: 'ar' | 'de' | 'en' | 'es' | 'fr' | 'zh';
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
  /**
   * Whether a customer may start a payment anew at checkout that expired or failed without money. The new
   * payment has the same terms, and names the former one in restarted_from. The former one is still watched
   * for 24 hours. Where a customer pays both, the new one is confirmed, and the former one is paid_late, for
   * you to review. Do not ship twice
   */
  readonly checkout_restart?: boolean;
  /** Stands before the number of each invoice that is drafted afterwards */
  readonly invoice_prefix?: string;
  /**
   * Days after the due date on which the customer of an open invoice is reminded by e-mail; below zero, before
   * it. Holds for invoices that are drafted afterwards
   */
  readonly reminders?: readonly number[];
  /** Zone of the IANA database in which customers read the dates of invoices drafted afterwards */
  readonly time_zone?: string;
  /** Language of the mails to customers, about invoices drafted afterwards that name none */
  readonly customer_language?: 'ar' | 'de' | 'en' | 'es' | 'fr' | 'zh';
}

export interface BrandRequest {
  readonly name?: string | null;
  readonly color?: string | null;
  /** https only: a PNG, JPEG or WebP of 64 KiB at most. The service fetches it once, and serves it itself */
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
