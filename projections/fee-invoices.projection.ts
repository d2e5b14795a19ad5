import { streamId, type Projection } from '../src/kernel/projection';
import type { FeeInvoiceEvent } from '../src/modules/fees/fee-invoice.events';
import { feeInvoicesReadModel, type FeeInvoiceDocument } from '../src/modules/fees/fee-invoices.read-model';

export const feeInvoicesProjection: Projection<FeeInvoiceDocument, FeeInvoiceEvent> = {
  ...feeInvoicesReadModel,
  categories: ['fee_invoice'],
  mirrors: true,
  key: streamId,
  on: {
    FeeInvoiceIssued: (_, { data, metadata }): FeeInvoiceDocument => ({
      ...data,
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      status: 'open',
      reference: null,
      created: metadata.occurred_at,
      paid_at: null,
    }),
    FeeInvoicePaid: (doc, { data, metadata }) =>
      doc && { ...doc, status: 'paid', reference: data.reference, paid_at: metadata.occurred_at },
  },
};
