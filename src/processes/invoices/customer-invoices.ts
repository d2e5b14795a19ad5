import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccessReader } from '../../kernel/access-reader';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { ReadModels } from '../../kernel/ports/read-models';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { BrandLogos } from '../../modules/checkout/brand-logos';
import { GetInvoicePage } from '../../modules/invoices/queries/get-invoice-page.query';
import type { InvoiceView } from '../../modules/invoices/queries/invoice-view';
import { isOverdue, type ExistingInvoice } from '../../modules/invoices/invoice.state';
import { invoicesReadModel, type InvoiceDocument } from '../../modules/invoices/invoices.read-model';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import { NO_PAYMENT_INTENT } from '../../modules/payment-intents/payment-intent.state';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import { PAYMENTS_LOOKED_AT, wayOfPayments } from './former-payment';

type CustomerInvoicesParts = {
  readonly modes: readonly Mode[];
  readonly readModels: ReadModels;
  readonly access: Pick<AccessReader, 'read'>;
  readonly logos: Pick<BrandLogos, 'digestOf'>;
  readonly clock: Pick<MerchantClocks, 'merchantNow'>;
  /** The address before `/invoices`. */
  readonly pagesUrl: string;
};

/** Invoices as their customers see them. A customer has no key: the id, which nobody can guess, opens an invoice. */
export class CustomerInvoices {
  constructor(private readonly parts: CustomerInvoicesParts) {}

  /** Null for an unknown id, for a draft, and for a text that is no id. */
  async view(id: string): Promise<InvoiceView | null> {
    const document = await this.found(id);
    if (document === null || document.state.status === 'draft') return null;
    const { access, clock, logos, pagesUrl } = this.parts;
    const { merchant_id: merchantId, state } = document;
    const mode = document.mode as Mode;
    const [[merchant, own], nowMs, way] = await Promise.all([
      access.read(settingsAsked(mode, merchantId)),
      clock.merchantNow(mode, merchantId),
      this.wayOf(mode, state),
    ]);
    invariant(merchant !== null, `the merchant of ${id} is unknown`);
    const { brand } = settingsOf(merchant.body, own?.body);
    const logo = brand.logo_url && (await logos.digestOf(mode, merchantId, brand.logo_url));
    const { number, draft } = state.terms;
    const { metadata: _, reminders: __, ...shown } = draft;
    return {
      ...{ id, mode, merchantId, number, nowMs },
      ...way,
      url: `${pagesUrl}/invoices/${id}`,
      shop: { name: brand.name ?? merchant.body.name, color: brand.color, logo },
      status: state.status,
      draft: shown,
      isOverdue: isOverdue(state, nowMs),
      issuedAt: document.issued_at,
      paidAt: document.paid_at,
    };
  }

  private async wayOf(mode: Mode, state: ExistingInvoice): Promise<Pick<InvoiceView, 'payment' | 'paying'>> {
    if (state.status === 'paid') return { payment: state.paidBy, paying: null };
    const payment = state.payments.at(-1) ?? null;
    if (state.status !== 'open' || payment === null) return { payment, paying: null };
    const newest = state.payments.slice(-PAYMENTS_LOOKED_AT);
    const documents = await Promise.all(newest.map(id => this.parts.readModels.get(paymentIntentsReadModel, mode, id)));
    // The payment of a claim is made in a moment.
    const states = documents.map(document => document?.body.state ?? NO_PAYMENT_INTENT);
    const { at, paying } = wayOfPayments(states);
    return { payment: newest[at] ?? payment, paying };
  }

  /** The id has no mode in it, so that each mode is asked. */
  private async found(id: string): Promise<InvoiceDocument | null> {
    if (!isId('inv', id)) return null;
    for (const mode of this.parts.modes) {
      const document = await this.parts.readModels.get(invoicesReadModel, mode, id);
      if (document?.body.mode === mode) return document.body;
    }
    return null;
  }
}

@QueryHandler(GetInvoicePage)
export class GetInvoicePageHandler implements IQueryHandler<GetInvoicePage> {
  constructor(private readonly invoices: CustomerInvoices) {}

  execute({ invoice }: GetInvoicePage): Promise<InvoiceView | null> {
    return this.invoices.view(invoice);
  }
}
