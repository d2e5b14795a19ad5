import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import { isOverdue, type ExistingInvoice } from '../../modules/invoices/invoice.state';
import { invoicesReadModel } from '../../modules/invoices/invoices.read-model';
import { GetInvoicePage } from '../../modules/invoices/queries/get-invoice-page.query';
import type { InvoiceView } from '../../modules/invoices/queries/invoice-view';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import type { CustomerReads } from '../customer-reads';
import { formerRefusal } from './former-payment';

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
    const { merchant_id: merchantId, state } = body;
    if (state.status === 'draft') return null;
    const payment = state.status === 'paid' ? state.paidBy : (state.payments.at(-1) ?? null);
    const [{ shop, nowMs }, paying] = await Promise.all([
      this.reads.shop(mode, merchantId),
      this.paying(mode, state, payment),
    ]);
    const { number, draft } = state.terms;
    const { metadata: _, reminders: __, ...shown } = draft;
    return {
      ...{ id, mode, merchantId, shop, number, payment, paying, nowMs },
      url: `${this.invoicesUrl}/${id}`,
      status: state.status,
      draft: shown,
      isOverdue: isOverdue(state, nowMs),
      issuedAt: body.issued_at,
      paidAt: body.paid_at,
    };
  }

  private async paying(
    mode: Mode,
    { status }: ExistingInvoice,
    payment: string | null,
  ): Promise<InvoiceView['paying']> {
    if (status !== 'open' || payment === null) return null;
    const found = await this.readModels.get(paymentIntentsReadModel, mode, payment);
    // The payment of a claim is made in a moment.
    if (found === null) return 'go_on';
    const { state } = found.body;
    if (formerRefusal(state) === null) return 'anew';
    if (state.status === 'underpaid') return 'part_paid';
    return state.status === 'created' || state.status === 'awaiting_payment' ? 'go_on' : 'under_way';
  }
}

@QueryHandler(GetInvoicePage)
export class GetInvoicePageHandler implements IQueryHandler<GetInvoicePage> {
  constructor(private readonly invoices: CustomerInvoices) {}

  execute({ invoice }: GetInvoicePage): Promise<InvoiceView | null> {
    return this.invoices.view(invoice);
  }
}
