// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { List } from '../list';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';
import { urlPath } from '../url-path';

/** A numbered invoice, which a payment pays */
export interface Invoice {
  readonly id: string;
  readonly object: 'invoice';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** The prefix at the draft, and the sequence with six digits or more */
  readonly number: string;
  /** Place in the account's series of this mode, without a gap */
  readonly sequence: number;
  readonly status: 'draft' | 'open' | 'paid' | 'void';
  /** Sum of the lines, or the amount given: whole minor units of the currency */
  readonly amount: string;
  /** Before discounts and taxes */
  readonly subtotal: string;
  /** All discounts */
  readonly discount_total: string;
  /** All taxes */
  readonly tax_total: string;
  /** ISO 4217 */
  readonly currency: string;
  /** The exponent of the currency */
  readonly currency_decimals: number;
  readonly customer: {
    readonly name: string;
    readonly email: string | null;
  } | null;
  /** Shown to the customer */
  readonly description: string | null;
  readonly lines: readonly {
    readonly description: string;
    /** How many */
    readonly quantity: number;
    /** Minor units for one */
    readonly unit_amount: string;
    /** Discount; 100 are 1% */
    readonly discount_bps: number;
    /** Tax on the subtotal less the discount; 100 are 1% */
    readonly tax_bps: number;
    /** Quantity × unit_amount */
    readonly subtotal: string;
    /** Rounded half up to the minor unit */
    readonly discount: string;
    /** Rounded half up to the minor unit */
    readonly tax: string;
    /** Subtotal less discount, with tax */
    readonly amount: string;
  }[];
  /** Shown to the customer */
  readonly notes: string | null;
  readonly due_at: string | null;
  /** Of the mails to the customer */
  readonly language: 'ar' | 'de' | 'en' | 'es' | 'fr' | 'zh';
  /** Whether it is open and its due date has passed */
  readonly overdue: boolean;
  /** Your own short strings, given back on every read and delivery */
  readonly metadata: Readonly<Record<string, string>>;
  /** The newest payment that was made for it */
  readonly payment_intent: string | null;
  readonly payment_intents: readonly string[];
  /** The page for its customer; null for a draft */
  readonly hosted_url: string | null;
  readonly created: string;
  readonly issued_at: string | null;
  readonly paid_at: string | null;
  readonly voided_at: string | null;
}

export interface DraftInvoiceRequest {
  /** ISO 4217, three uppercase letters */
  readonly currency: string;
  /** Either lines or an amount */
  readonly lines?: readonly InvoiceLineRequest[];
  /** The whole invoice, where it has no lines: whole minor units of `currency` */
  readonly amount?: string | number;
  /** Left out for a customer who is not named */
  readonly customer?: CustomerRequest;
  /** Subject of the invoice; its payments have it as well */
  readonly description?: string | null;
  /** Stands below the lines */
  readonly notes?: string | null;
  /** An open invoice is overdue from then on */
  readonly due_at?: string | null;
  /** Of the mails to the customer; left out for `customer_language` of the settings */
  readonly language?: 'ar' | 'de' | 'en' | 'es' | 'fr' | 'zh';
  /** Up to 20 short strings of your own, given back on every read and delivery */
  readonly metadata?: Readonly<Record<string, string>> | null;
}

export interface InvoiceLineRequest {
  readonly description: string;
  readonly quantity: number;
  /** Of one unit: whole minor units of `currency`, as an integer or a string of digits */
  readonly unit_amount: string | number;
  /** 100 are 1% */
  readonly discount_bps?: number;
  /** On the subtotal less the discount; 1900 are 19% */
  readonly tax_bps?: number;
}

export interface CustomerRequest {
  readonly name: string;
  /** Where the invoice and its reminders are mailed to */
  readonly email?: string | null;
}

export interface InvoicesListQuery {
  readonly status?: 'draft' | 'open' | 'paid' | 'void';
  /** Length of the page */
  readonly limit?: number;
  /** The id of the last object of the page before */
  readonly starting_after?: string;
}

export class InvoicesResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** List invoices, newest number first */
  list(query?: InvoicesListQuery, options?: RequestOptions): List<Invoice> {
    return this.#requester.list({ path: '/v1/invoices', query }, options);
  }

  /** Draft an invoice, which takes the next number */
  create(body: DraftInvoiceRequest, options?: RequestOptions): Promise<Invoice> {
    return this.#requester.send({ method: 'POST', path: '/v1/invoices', body }, options);
  }

  /** Retrieve an invoice */
  retrieve(id: string, options?: RequestOptions): Promise<Invoice> {
    return this.#requester.send({ method: 'GET', path: urlPath`/v1/invoices/${id}` }, options);
  }

  /** Make the payment of an invoice */
  issue(id: string, options?: RequestOptions): Promise<Invoice> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/invoices/${id}/issue` }, options);
  }

  /** End an unpaid invoice; its number stays taken */
  void(id: string, options?: RequestOptions): Promise<Invoice> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/invoices/${id}/void` }, options);
  }

  /** Mail an issued invoice to its customer */
  send(id: string, options?: RequestOptions): Promise<Invoice> {
    return this.#requester.send({ method: 'POST', path: urlPath`/v1/invoices/${id}/send` }, options);
  }
}
