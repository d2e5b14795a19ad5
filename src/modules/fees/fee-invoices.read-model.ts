import type { ReadModel } from '../../kernel/ports/read-models';
import type { FeeInvoiceFacts } from './fee-invoice.events';

export type FeeInvoiceDocument = FeeInvoiceFacts & {
  readonly merchant_id: string;
  readonly mode: string;
  readonly status: 'open' | 'paid';
  readonly reference: string | null;
  readonly created: string;
  readonly paid_at: string | null;
};

export const feeInvoicesReadModel: ReadModel<FeeInvoiceDocument> = {
  name: 'fee_invoices',
  version: 2,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    by_created: ['created', 'id'],
    by_status: ['status', 'created', 'id'],
    by_due: ['status', 'due_at', 'id'],
  },
};
