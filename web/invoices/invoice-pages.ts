import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { Entropy } from '../../src/kernel/entropy';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import type { FormBody } from '../../src/platform/http/form-body';
import { refuse } from '../../src/vocabulary/errors';
import { checkoutContext } from '../../src/modules/checkout/checkout-context';
import { IssueInvoice } from '../../src/modules/invoices/commands/invoice-payments.command';
import { GetInvoicePage } from '../../src/modules/invoices/queries/get-invoice-page.query';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import { refusedForm } from '../checkout/form-faults';
import type { FormCommand, FormWork } from '../http/form-work';
import type { PageSender } from '../http/page-sender';
import { isolated } from '../parts/isolate';
import { InvoicePdfs } from './invoice-pdfs';
import { InvoicePage } from './invoice.page';

const SEE_OTHER = 303;
const FORM_ID_BYTES = 16;

/** A request of a customer for an invoice. */
type InvoiceRequest = { readonly request: ApiRequest; readonly reply: FastifyReply; readonly id: string };

export class InvoicePages {
  private readonly pdfs = new InvoicePdfs();

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly pages: PageSender,
    private readonly forms: FormWork,
    private readonly entropy: Entropy,
  ) {}

  /** Throws Refusal resource_missing, alike for an unknown id, for a draft, and for a text that is no id. */
  async view(id: string): Promise<InvoiceView> {
    const view = await this.queries.execute(new GetInvoicePage(id));
    if (!view) throw refuse('resource_missing');
    return view;
  }

  async send(asked: InvoiceRequest): Promise<void> {
    await this.sendState(asked, await this.view(asked.id), null, 200);
  }

  async sendPdf({ request, reply, id }: InvoiceRequest): Promise<void> {
    const view = await this.view(id);
    const { language, languages } = this.pages.factsFor(request, this.pathOf(id));
    const bytes = await this.pdfs.of(view, language, languages);
    const name = `${view.number.replaceAll('/', '-')}.pdf`;
    // A page says so in its head, and a PDF has none.
    void reply.header('x-robots-tag', 'noindex');
    void reply.header('content-disposition', `inline; filename="${name}"`).type('application/pdf').send(bytes);
  }

  /** Leads to the checkout of the payment that pays the invoice: a new one where the last one has ended unpaid. */
  async pay({ request, reply, id }: InvoiceRequest, form: FormBody): Promise<void> {
    const view = await this.view(id);
    const facts = this.pages.factsFor(request, this.pathOf(id));
    const lead = (payment: string) => {
      const lang = facts.namedLanguage === null ? '' : `?lang=${facts.namedLanguage}`;
      void reply.status(SEE_OTHER).header('location', `${this.pages.root}/checkout/${payment}${lang}`).send('');
    };
    try {
      const { mode, merchantId, nowMs } = view;
      const work = (command: FormCommand) => this.issue(view, request, command);
      lead(await this.forms.once({ mode, merchantId, action: `${id}/pay`, form, nowMs }, work));
    } catch (error) {
      const words = { network: '', shop: isolated(view.shop.name) };
      const { status, text, code } = refusedForm(error, facts.language, words);
      const now = await this.view(id);
      // Somebody else was first: that payment is as good.
      if (code === 'invalid_state_transition' && now.paying === 'go_on' && now.payment !== null)
        return lead(now.payment);
      request.errorCode = code;
      await this.sendState({ request, reply, id }, now, text, status);
    }
  }

  private issue({ id, mode, merchantId, nowMs }: InvoiceView, request: ApiRequest, command: FormCommand) {
    const asked = { ...command, requestId: request.id, ip: clientIp(request), now: nowMs };
    return this.commands.execute(new IssueInvoice(id, checkoutContext({ mode, merchantId }, asked)));
  }

  private async sendState(
    { request, reply, id }: InvoiceRequest,
    view: InvoiceView,
    fault: string | null,
    status: number,
  ): Promise<void> {
    const path = this.pathOf(id);
    const formId = Buffer.from(this.entropy.bytes(FORM_ID_BYTES)).toString('hex');
    const page = h(InvoicePage, { view, path, formId, fault });
    await this.pages.send(request, reply, this.pages.factsFor(request, path), page, status);
  }

  /** The path of the invoice's page, as a browser asks for it. */
  private pathOf(invoice: string): string {
    return `${this.pages.root}/invoices/${invoice}`;
  }
}
