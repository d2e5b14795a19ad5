import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { InvoiceReader } from '../../../src/modules/invoices/api/invoice.reader';
import { IssueInvoice, VoidInvoice } from '../../../src/modules/invoices/commands/invoice-payments.command';
import { SendInvoice } from '../../../src/modules/invoices/commands/send-invoice.command';
import { paymentSettingsOf } from '../../../src/modules/merchants/read-account';
import { PaymentIntentReader } from '../../../src/modules/payment-intents/api/payment-intent.reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { openedPayment } from '../opened-payments';
import { InvoicePage, type InvoiceView } from './invoice.page';

/** An invoice, and the steps that its merchant takes. */
@Controller('dashboard/:mode/invoices/:id')
export class DashboardInvoiceController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly invoices: InvoiceReader,
    private readonly payments: PaymentIntentReader,
  ) {}

  @Get()
  @SignedInPage('invoice.read')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.page({ request, reply }, id);
  }

  @Post('issue')
  @SignedInForm('invoice.manage')
  async issue(
    @Param('id') id: string,
    @CurrentPerson() { facts, mode, nowMs }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const settings = paymentSettingsOf(facts, mode, nowMs);
    await this.work({ request, reply }, id, form, context =>
      this.commands.execute(new IssueInvoice(id, settings, context)),
    );
  }

  @Post('send')
  @SignedInForm('invoice.manage')
  async send(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, id, form, context => this.commands.execute(new SendInvoice(id, context)));
  }

  @Post('void')
  @SignedInForm('invoice.manage')
  async void(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, id, form, context => this.commands.execute(new VoidInvoice(id, context)));
  }

  private async work(
    asked: Asked,
    id: string,
    form: FormBody,
    effect: (context: MerchantContext) => Promise<unknown>,
  ): Promise<void> {
    await this.pages.work(asked, {
      form,
      page: () => this.page(asked, id),
      effect: async ({ context }) => {
        await effect(context);
        return `invoices/${id}`;
      },
    });
  }

  private async page(asked: Asked, id: string): Promise<void> {
    const { person } = visitOf(asked.request);
    await this.pages.show(
      asked,
      () => this.view(person, id),
      view => h(InvoicePage, { view }),
    );
  }

  private async view(person: Person, id: string): Promise<InvoiceView> {
    const invoice = await this.invoices.get(person, id);
    const { data, has_more: hasMore } = await this.payments.list({ ...person, now: person.nowMs }, { invoice: id });
    return { invoice, payments: data.map(openedPayment), hasMore };
  }
}
