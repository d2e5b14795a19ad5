import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { InvoiceReader } from '../../../src/modules/invoices/api/invoice.reader';
import { DraftInvoice } from '../../../src/modules/invoices/commands/draft-invoice.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import { inOwnFields } from '../../http/own-fields';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { givenFilters, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { InvoicesPage, type InvoicesView } from './invoices.page';
import { NewInvoicePage } from './new-invoice.page';
import { fieldOf, LINE_FIELDS, lineCount, LINES_LIMIT, typedInvoice } from './typed-invoice';

const DRAFT = {
  fields: ['currency', 'customer_name', 'customer_email', 'description', 'notes', 'due_at', 'metadata'],
  optional: [...LINE_FIELDS, 'language'],
} as const;

/** The invoices of a mode, and the form for a new one. */
@Controller('dashboard/:mode/invoices')
export class DashboardInvoicesController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly invoices: InvoiceReader,
  ) {}

  @Get()
  @SignedInPage('invoice.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.found(person, givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(InvoicesPage, { view: shown }));
  }

  @Get('new')
  @SignedInPage('invoice.manage')
  async form(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(NewInvoicePage, { typed: {}, lines: lineCount({}) }));
  }

  /** Nothing is drafted: the form comes again, with one line more and with all that was typed. */
  @Post('new/lines')
  @SignedInForm('invoice.manage', DRAFT)
  async addLine(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const lines = Math.min(lineCount(form) + 1, LINES_LIMIT);
    await this.pages.send({ request, reply }, h(NewInvoicePage, { typed: form, lines }));
  }

  @Post('new')
  @SignedInForm('invoice.manage', DRAFT)
  async draft(
    @CurrentPerson() { facts }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.pages.send(asked, h(NewInvoicePage, { typed: form, lines: lineCount(form) })),
      effect: async ({ context }) => {
        const { settings, limits } = facts;
        const draft = await typedInvoice(form, settings);
        const order = { prefix: settings.invoice_prefix, enabledTokens: settings.enabled_tokens, limits, draft };
        const { id } = await inOwnFields(fieldOf, () => this.commands.execute(new DraftInvoice(order, context)));
        return `invoices/${id}`;
      },
    });
  }

  private async found(person: Person, given: Given): Promise<InvoicesView> {
    const status = typeof given.status === 'string' ? given.status : null;
    const nothing = { invoices: [], status, next: null, isFirst: true };
    return orFilterFault({ status: 'Status' }, nothing, async () => {
      const list = await this.invoices.list(person, given);
      return { invoices: list.data, status, ...placeOf(given, list) };
    });
  }
}
