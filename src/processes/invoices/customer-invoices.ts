import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { CustomerTerms } from '../../vocabulary/customer-terms';
import type { Mode } from '../../vocabulary/modes';
import { isOverdue, type ExistingInvoice } from '../../modules/invoices/invoice.state';
import { invoicesReadModel } from '../../modules/invoices/invoices.read-model';
import { GetInvoicePage } from '../../modules/invoices/queries/get-invoice-page.query';
import { GetInvoiceTerms } from '../../modules/invoices/queries/get-invoice-terms.query';
import type { InvoiceView } from '../../modules/invoices/queries/invoice-view';
import { NO_PAYMENT_INTENT } from '../../modules/payment-intents/payment-intent.state';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import type { CustomerReads } from '../customer-reads';
import { PAYMENTS_LOOKED_AT, wayOfPayments } from './former-payment';

/** Invoices as their customers see them. */
export class CustomerInvoices {
  constructor(
    private readonly reads: CustomerReads,
    private readonly readModels: Pick<ReadModels, 'get'>,
    /** An invoice's page is `{invoicesUrl}/{id}`. */
    private readonly invoicesUrl: string,
  ) {}

  /** Null for an unknown id, for a draft, and for a text that is no id. */
  async view(id: string): Promise<InvoiceView | null> {
    const found = await this.reads.find(invoicesReadModel, 'inv', id);
    if (found === null) return null;
    const { mode, body } = found;
    const { state } = body;
    if (state.status === 'draft') return null;
    const [{ shop, terms }, way] = await Promise.all([
      this.reads.shop(mode, body.merchant_id),
      this.wayOf(mode, state),
    ]);
    const { nowMs } = terms;
    const { number, draft } = state.terms;
    const { metadata: _, reminders: __, ...shown } = draft;
    return {
      ...{ id, mode, shop, number, nowMs },
      ...way,
      url: `${this.invoicesUrl}/${id}`,
      status: state.status,
      draft: shown,
      isOverdue: isOverdue(state, nowMs),
      issuedAt: body.issued_at,
      paidAt: body.paid_at,
    };
  }

  /** Null where `view` answers null. */
  async terms(id: string): Promise<CustomerTerms | null> {
    const found = await this.reads.termsOf(invoicesReadModel, 'inv', id);
    if (found === null) return null;
    // A document may lag behind the issue. A draft is shown to no customer, nor issued by one.
    const newest = found.body.state.status === 'draft' ? await this.reads.find(invoicesReadModel, 'inv', id) : found;
    return newest === null || newest.body.state.status === 'draft' ? null : found.terms;
  }

  private async wayOf(mode: Mode, state: ExistingInvoice): Promise<Pick<InvoiceView, 'payment' | 'paying'>> {
    if (state.status === 'paid') return { payment: state.paidBy, paying: null };
    const payment = state.payments.at(-1) ?? null;
    if (state.status !== 'open' || payment === null) return { payment, paying: null };
    const newest = state.payments.slice(-PAYMENTS_LOOKED_AT);
    const documents = await Promise.all(newest.map(id => this.readModels.get(paymentIntentsReadModel, mode, id)));
    // The payment of an issue is made in a moment.
    const states = documents.map(document => document?.body.state ?? NO_PAYMENT_INTENT);
    const { at, paying } = wayOfPayments(states);
    return { payment: newest[at] ?? payment, paying };
  }
}

@QueryHandler(GetInvoicePage)
export class GetInvoicePageHandler implements IQueryHandler<GetInvoicePage> {
  constructor(private readonly invoices: CustomerInvoices) {}

  execute({ invoice }: GetInvoicePage): Promise<InvoiceView | null> {
    return this.invoices.view(invoice);
  }
}

@QueryHandler(GetInvoiceTerms)
export class GetInvoiceTermsHandler implements IQueryHandler<GetInvoiceTerms> {
  constructor(private readonly invoices: CustomerInvoices) {}

  execute({ invoice }: GetInvoiceTerms): Promise<CustomerTerms | null> {
    return this.invoices.terms(invoice);
  }
}
