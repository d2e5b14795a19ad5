import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { h } from 'preact';
import { pageVersion } from '../../src/modules/checkout/queries/checkout-version';
import { IssueInvoice } from '../../src/modules/invoices/commands/invoice-payments.command';
import { GetInvoicePage } from '../../src/modules/invoices/queries/get-invoice-page.query';
import { GetInvoiceTerms } from '../../src/modules/invoices/queries/get-invoice-terms.query';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import type { CustomerTerms } from '../../src/vocabulary/customer-terms';
import type { FormBody } from '../../src/platform/http/form-body';
import { refuse, type ErrorCode, type Refusal } from '../../src/vocabulary/errors';
import type { CustomerPages, CustomerRequest } from '../http/customer-pages';
import { isolated } from '../parts/isolate';
import { faultText } from '../words/form-faults';
import type { Language } from '../words/language';
import { InvoicePdfs } from './invoice-pdfs';
import { InvoicePage } from './invoice.page';

export class InvoicePages {
  private readonly pdfs = new InvoicePdfs();

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly pages: CustomerPages,
  ) {}

  async show(asked: CustomerRequest): Promise<void> {
    await this.send(asked, await this.view(asked.id));
  }

  async sendPdf({ request, reply, id }: CustomerRequest): Promise<void> {
    const view = await this.view(id);
    const { language } = this.pages.factsFor(request, this.pathOf(id));
    const bytes = await this.pdfs.of(view, language);
    const name = `${view.number.replaceAll('/', '-')}.pdf`;
    // A page says so in its head, and a PDF has none.
    void reply.header('x-robots-tag', 'noindex');
    void reply.header('content-disposition', `inline; filename="${name}"`).type('application/pdf').send(bytes);
  }

  /** Leads to the checkout of the payment that pays the invoice: a new one where the last one has ended unpaid. */
  async pay(asked: CustomerRequest, form: FormBody): Promise<void> {
    const { id } = asked;
    await this.pages.work(asked, {
      kind: 'pay',
      form,
      terms: () => this.terms(id),
      read:
        ({ payments }) =>
        async context => {
          const { paymentIntent } = await this.commands.execute(new IssueInvoice(id, payments, context));
          return this.pages.pathOf('checkout', paymentIntent);
        },
      view: () => this.view(id),
      refused: (refusal, now, language) => this.refused(asked, refusal, now, language),
    });
  }

  /** Tells the invoice's open page of changes. */
  async listen(asked: CustomerRequest): Promise<void> {
    await this.view(asked.id);
    this.pages.listen(asked, async () => this.versionOf(await this.view(asked.id)));
  }

  private async refused(asked: CustomerRequest, refusal: Refusal, now: InvoiceView, language: Language): Promise<void> {
    const { code } = refusal;
    // Another customer was first: that payment is as good.
    if (code === 'invalid_state_transition' && now.paying === 'go_on' && now.payment !== null)
      return this.pages.leadTo(asked, this.pages.pathOf('checkout', now.payment));
    await this.send(asked, now, faultText(refusal, 'invoices', language, { shop: isolated(now.shop.name) }), code);
  }

  private async send(
    asked: CustomerRequest,
    view: InvoiceView,
    fault: string | null = null,
    refusal: ErrorCode | null = null,
  ): Promise<void> {
    const path = this.pathOf(asked.id);
    const version = this.versionOf(view);
    await this.pages.send(asked, path, formId => h(InvoicePage, { view, path, formId, fault, version }), refusal);
  }

  /** Throws Refusal resource_missing, alike for an unknown id, for a draft, and for a text that is no id. */
  private async view(id: string): Promise<InvoiceView> {
    const view = await this.queries.execute(new GetInvoicePage(id));
    if (!view) throw refuse('resource_missing');
    return view;
  }

  /** Throws Refusal resource_missing, as `view` does. */
  private async terms(id: string): Promise<CustomerTerms> {
    const terms = await this.queries.execute(new GetInvoiceTerms(id));
    if (!terms) throw refuse('resource_missing');
    return terms;
  }

  private versionOf({ nowMs: _, ...shown }: InvoiceView): string {
    return this.pages.version(pageVersion(shown));
  }

  /** The path of the invoice's page, as a browser asks for it. */
  private pathOf(invoice: string): string {
    return this.pages.pathOf('invoices', invoice);
  }
}
