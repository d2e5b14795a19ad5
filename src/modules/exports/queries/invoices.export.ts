import { everyPage } from '../../../kernel/every-document';
import type { Document } from '../../../kernel/ports/documents';
import {
  decimal,
  digits,
  id,
  METADATA,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { formatUnits } from '../../../vocabulary/money';
import { INVOICE_STATUSES } from '../../invoices/invoice.state';
import { invoicesReadModel, type InvoiceDocument } from '../../invoices/invoices.read-model';
import { PAGE_ROWS, type ExportSource } from '../export-source';
import { exportKind } from './export-kind';

const INVOICE_ROW = resource('invoice_export_row', 'One invoice of an export', {
  id: id('inv'),
  number: text('The prefix and the sequence', 'INV-000042'),
  sequence: whole('The place in your series', 42, { minimum: 1 }),
  status: oneOfTexts(INVOICE_STATUSES),
  created: timestamp(),
  issued_at: nullable(timestamp()),
  due_at: nullable(timestamp()),
  paid_at: nullable(timestamp()),
  voided_at: nullable(timestamp()),
  currency: text('ISO 4217', 'EUR'),
  subtotal: digits('Whole minor units, as all amounts without `_decimal`', '2500'),
  subtotal_decimal: decimal('The same in whole units', '25.00'),
  discount_total: digits('Of all lines', '0'),
  discount_total_decimal: decimal('The same in whole units', '0.00'),
  tax_total: digits('Of all lines', '475'),
  tax_total_decimal: decimal('The same in whole units', '4.75'),
  amount: digits('To pay', '2975'),
  amount_decimal: decimal('The same in whole units', '29.75'),
  customer_name: nullable(text('As you named them', 'Ada Byron')),
  customer_email: nullable(text('For mails', 'ada@shop.example')),
  payment_intent: nullable(id('pi', 'The newest payment of the invoice')),
  description: nullable(text('Of the invoice as a whole', 'Work in October')),
  notes: nullable(text('Printed below the lines', 'Thank you')),
  metadata: METADATA,
});

function invoiceRow({ id: invoiceId, body }: Document<InvoiceDocument>): Answer<typeof INVOICE_ROW> {
  const { number, draft } = body.state.terms;
  const decimals = draft.currency_decimals;
  const inWhole = (minorUnits: string): string => formatUnits(BigInt(minorUnits), decimals, decimals);
  return {
    id: invoiceId,
    number,
    sequence: body.sequence,
    status: body.status,
    created: body.created,
    issued_at: body.issued_at,
    due_at: draft.due_at,
    paid_at: body.paid_at,
    voided_at: body.voided_at,
    currency: draft.currency,
    subtotal: draft.subtotal_minor_units,
    subtotal_decimal: inWhole(draft.subtotal_minor_units),
    discount_total: draft.discount_minor_units,
    discount_total_decimal: inWhole(draft.discount_minor_units),
    tax_total: draft.tax_minor_units,
    tax_total_decimal: inWhole(draft.tax_minor_units),
    amount: draft.amount_minor_units,
    amount_decimal: inWhole(draft.amount_minor_units),
    customer_name: draft.customer && draft.customer.name,
    customer_email: draft.customer && draft.customer.email,
    payment_intent: body.state.payments.at(-1) ?? null,
    description: draft.description,
    notes: draft.notes,
    metadata: draft.metadata,
  };
}

/** Members that no row shows: a hundred lines are some fifty kilobytes, and a page has a hundred invoices. */
const UNSHOWN = ['state.terms.draft.lines'];

/** A series is in the order of its numbers. Moments of several processes may cross, so a range ends no reading. */
async function* seriesPages(source: ExportSource): AsyncGenerator<readonly Document<InvoiceDocument>[]> {
  const { readModels, merchantId, mode, ascending = false } = source;
  yield* everyPage(readModels, invoicesReadModel, {
    index: 'by_merchant',
    equals: { merchant_id: merchantId, mode },
    descending: !ascending,
    limit: PAGE_ROWS,
    omit: UNSHOWN,
  });
}

export const invoicesExport = exportKind(INVOICE_ROW, seriesPages, (invoice, { from = '', to }) =>
  invoice.body.created < from || (to !== undefined && invoice.body.created > to) ? [] : [invoiceRow(invoice)],
);
