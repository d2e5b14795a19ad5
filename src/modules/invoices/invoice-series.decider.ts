import type { Aggregate } from '../../kernel/write-path';
import type { InvoiceDraft, InvoiceSeriesEvent } from './invoice.events';
import { invoiceSeriesUpcasts } from './invoice.upcast';

type InvoiceSeries = { readonly last: number };

type SeriesCommand = {
  readonly type: 'allocate';
  readonly invoice: string;
  readonly prefix: string;
  readonly draft: InvoiceDraft;
};

const SEQUENCE_DIGITS = 6;

/** `('INV-', 42)` → INV-000042. */
export function invoiceNumber(prefix: string, sequence: number): string {
  return `${prefix}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`;
}

function decide({ invoice, prefix, draft }: SeriesCommand, { last }: InvoiceSeries): readonly InvoiceSeriesEvent[] {
  const sequence = last + 1;
  const number = invoiceNumber(prefix, sequence);
  return [{ type: 'InvoiceNumberAllocated', data: { sequence, number, invoice, draft } }];
}

/**
 * A merchant's invoices of one mode, in the order of their numbers. An append at the exact revision gives each number
 * once, and a number is its event's revision plus one.
 */
export const invoiceSeries: Aggregate<InvoiceSeries, SeriesCommand, InvoiceSeriesEvent> = {
  category: 'invoice_series',
  // The stream's id is the merchant's own, so nobody can ask for another merchant's stream.
  notFound: null,
  initial: { last: 0 },
  restates: true,
  upcasts: invoiceSeriesUpcasts,
  decide,
  evolve: (_, { data }) => ({ last: data.sequence }),
};
