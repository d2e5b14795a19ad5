import { figuresOfLines } from '../../../src/modules/invoices/invoice-figures';
import type { InvoiceDraft, InvoiceEvent } from '../../../src/modules/invoices/invoice.events';

/** An invoice of 29.75 EUR for two packets of tea, and nothing else, by default. */
export function draftOf(changes: Partial<InvoiceDraft> = {}): InvoiceDraft {
  const tea = { description: 'Tea', quantity: 2, unitAmountMinorUnits: 1_250n, discountBps: 0, taxBps: 1_900 };
  return {
    ...figuresOfLines([tea]),
    currency: 'EUR',
    currency_decimals: 2,
    customer: null,
    description: null,
    notes: null,
    due_at: null,
    metadata: {},
    reminders: [],
    time_zone: 'UTC',
    language: 'en',
    ...changes,
  };
}

export function drafted(changes: Partial<InvoiceDraft> = {}): InvoiceEvent {
  return { type: 'InvoiceDrafted', data: { sequence: 1, number: 'INV-000001', draft: draftOf(changes) } };
}
