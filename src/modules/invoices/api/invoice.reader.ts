import type { RecordedEvent } from '../../../kernel/event';
import { foldedDocument } from '../../../kernel/folded-document';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { filterOf, getOwn, listPage, parsePage, type ListEnvelope } from '../../../platform/http/lists';
import type { Mode } from '../../../vocabulary/modes';
import type { InvoiceLine } from '../invoice.events';
import { INVOICE_STATUSES, isOverdue } from '../invoice.state';
import { invoicesReadModel, type InvoiceDocument } from '../invoices.read-model';
import type { InvoiceResource } from './invoices.contract';

/** The merchant who reads, at a moment by its clock. */
type Reader = { readonly merchantId: string; readonly mode: Mode; readonly nowMs: number };

/** Invoices as their merchants read them. */
export class InvoiceReader {
  constructor(
    private readonly readModels: ReadModels,
    /** The customers' page of an invoice is `{invoicesUrl}/{id}`. */
    private readonly invoicesUrl: string,
  ) {}

  async get(reader: Reader, id: string): Promise<InvoiceResource> {
    const named = { prefix: 'inv', id, notFound: 'resource_missing' } as const;
    const { body } = await getOwn(this.readModels, invoicesReadModel, reader, named);
    return this.presented(id, body, reader.nowMs);
  }

  /** The invoice as a command of its merchant has just left it, by its whole history. */
  present({ nowMs }: Pick<Reader, 'nowMs'>, id: string, history: readonly RecordedEvent[]): InvoiceResource {
    const { body } = foldedDocument(this.readModels, invoicesReadModel, id, history);
    return this.presented(id, body, nowMs);
  }

  list(
    { merchantId, mode, nowMs }: Reader,
    query: Readonly<Record<string, unknown>>,
  ): Promise<ListEnvelope<InvoiceResource>> {
    const page = parsePage(query, ['status']);
    const status = filterOf(page, 'status', INVOICE_STATUSES);
    const own = { merchant_id: merchantId, mode };
    const source = {
      ...(status === undefined
        ? { index: 'by_merchant', equals: own }
        : { index: 'by_status', equals: { ...own, status } }),
      order: ['sequence', 'id'],
    };
    return listPage(this.readModels, invoicesReadModel, source, page, {
      url: '/v1/invoices',
      present: ({ id, body }) => this.presented(id, body, nowMs),
    });
  }

  private presented(id: string, doc: InvoiceDocument, nowMs: number): InvoiceResource {
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
      language: draft.language,
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
