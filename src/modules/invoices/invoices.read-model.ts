import type { ReadModel } from '../../kernel/ports/read-models';
import type { ExistingInvoice } from './invoice.state';

export type InvoiceDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly status: ExistingInvoice['status'];
  readonly sequence: number;
  readonly created: string;
  readonly issued_at: string | null;
  readonly paid_at: string | null;
  readonly voided_at: string | null;
  /** The invoice as its events fold. The domain's functions over this state answer every rule. */
  readonly state: ExistingInvoice;
  /** The invoice has something to tell by itself, at a moment of the clock named here. */
  readonly awaits_deadline: boolean;
  readonly clock: string;
  /** The moment by that clock; empty where there is none. */
  readonly deadline_at: string;
  /** The same by the wall's clock, as that clock stood at the event. An advance since then brings it nearer. */
  readonly wall_deadline_at: string;
};

export const invoicesReadModel: ReadModel<InvoiceDocument> = {
  name: 'invoices',
  version: 2,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'sequence', 'id'],
    by_status: ['merchant_id', 'mode', 'status', 'sequence', 'id'],
    by_wall_deadline: ['mode', 'awaits_deadline', 'wall_deadline_at', 'id'],
    by_clock_deadline: ['clock', 'awaits_deadline', 'deadline_at', 'id'],
  },
};
