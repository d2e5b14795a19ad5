import type { Mode } from '../../../vocabulary/modes';
import type { Shop } from '../../checkout/queries/checkout-view';
import type { InvoiceDraft } from '../invoice.events';
import type { ExistingInvoice } from '../invoice.state';

/** The invoice with all that its page and its PDF show to the customer. A draft is its merchant's alone. */
export type InvoiceView = {
  readonly id: string;
  /** The address of the invoice's page. */
  readonly url: string;
  readonly mode: Mode;
  readonly shop: Shop;
  readonly number: string;
  readonly status: Exclude<ExistingInvoice['status'], 'draft'>;
  /** Without the merchant's own words: the metadata. */
  readonly draft: Omit<InvoiceDraft, 'metadata' | 'reminders'>;
  readonly isOverdue: boolean;
  /** Null for an invoice that was voided as a draft. */
  readonly issuedAt: string | null;
  readonly paidAt: string | null;
  /**
   * The payment that the page leads to: the one that paid the invoice, or has money under way, or the newest one. Null
   * where none was made.
   */
  readonly payment: string | null;
  /**
   * The customer goes on with that payment, starts another one, waits for money that is under way, or has paid in part.
   * Null where nothing is to be paid.
   */
  readonly paying: 'go_on' | 'anew' | 'under_way' | 'part_paid' | null;
  /** The time by the clock of the invoice's merchant. */
  readonly nowMs: number;
};
