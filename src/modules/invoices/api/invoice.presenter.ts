import type { InvoiceLine } from '../invoice.events';
import { isOverdue } from '../invoice.state';
import type { InvoiceDocument } from '../invoices.read-model';
import type { InvoiceResource } from './invoices.contract';

/** Shows invoices in the API. A class, so that it names itself to injection. */
export class InvoicePresenter {
  /** The customers' page of an invoice is `{invoicesUrl}/{id}`. */
  constructor(private readonly invoicesUrl: string) {}

  present(id: string, doc: InvoiceDocument, nowMs: number): InvoiceResource {
    const { state } = doc;
    const { sequence, number, draft } = state.terms;
    return {
      id,
      object: 'invoice',
      mode: doc.mode,
      number,
      sequence,
      status: state.status,
      amount: draft.amount_minor_units,
      subtotal: draft.subtotal_minor_units,
      discount_total: draft.discount_minor_units,
      tax_total: draft.tax_minor_units,
      currency: draft.currency,
      currency_decimals: draft.currency_decimals,
      customer: draft.customer,
      description: draft.description,
      lines: draft.lines.map(presentLine),
      notes: draft.notes,
      due_at: draft.due_at,
      overdue: isOverdue(state, nowMs),
      metadata: draft.metadata,
      payment_intent: state.payments.at(-1) ?? null,
      payment_intents: state.payments,
      hosted_url: state.status === 'draft' ? null : `${this.invoicesUrl}/${id}`,
      created: doc.created,
      issued_at: doc.issued_at,
      paid_at: doc.paid_at,
      voided_at: doc.voided_at,
    };
  }
}

function presentLine(line: InvoiceLine): InvoiceResource['lines'][number] {
  return {
    description: line.description,
    quantity: line.quantity,
    unit_amount: line.unit_amount_minor_units,
    discount_bps: line.discount_bps,
    tax_bps: line.tax_bps,
    subtotal: line.subtotal_minor_units,
    discount: line.discount_minor_units,
    tax: line.tax_minor_units,
    amount: line.amount_minor_units,
  };
}
