import { paymentSettings } from '../../../vocabulary/payment-settings';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChecksBody, commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { DraftInvoice } from '../commands/draft-invoice.command';
import { IssueInvoice, VoidInvoice } from '../commands/invoice-payments.command';
import { SendInvoice } from '../commands/send-invoice.command';
import { InvoiceReader } from './invoice.reader';
import { checkDraft, DraftInvoiceDto, draftOf, INVOICE_OPERATIONS, type InvoiceResource } from './invoices.contract';

@Tagged('Invoices')
@Controller('v1/invoices')
export class InvoicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly invoices: InvoiceReader,
  ) {}

  @Post()
  @RequireScope('invoice:create')
  @ChecksBody(checkDraft)
  @Documented(INVOICE_OPERATIONS.draft)
  async draft(@CurrentCaller() caller: Caller, @Body() body: DraftInvoiceDto): Promise<InvoiceResource> {
    const { settings, limits } = caller;
    const { invoice_prefix: prefix, enabled_tokens: enabledTokens } = settings;
    const order = { prefix, enabledTokens, limits, draft: draftOf(body, settings) };
    const { id, history } = await this.commands.execute(new DraftInvoice(order, commandContext(caller, 'api')));
    return this.invoices.present(readerOf(caller), id, history);
  }

  @Get()
  @RequireScope('invoice:read')
  @Documented(INVOICE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.invoices.list(readerOf(caller), query);
  }

  @Get(':id')
  @RequireScope('invoice:read')
  @Documented(INVOICE_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    return this.invoices.get(readerOf(caller), id);
  }

  @Post(':id/issue')
  @HttpCode(200)
  @RequireScope('invoice:create')
  @Documented(INVOICE_OPERATIONS.issue)
  async issue(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    const command = new IssueInvoice(id, paymentSettings(caller), commandContext(caller, 'api'));
    const { history } = await this.commands.execute(command);
    return this.invoices.present(readerOf(caller), id, history);
  }

  @Post(':id/void')
  @HttpCode(200)
  @RequireScope('invoice:create')
  @Documented(INVOICE_OPERATIONS.void)
  async void(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    const history = await this.commands.execute(new VoidInvoice(id, commandContext(caller, 'merchant')));
    return this.invoices.present(readerOf(caller), id, history);
  }

  @Post(':id/send')
  @HttpCode(200)
  @RequireScope('invoice:create')
  @Documented(INVOICE_OPERATIONS.send)
  async send(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    const history = await this.commands.execute(new SendInvoice(id, commandContext(caller, 'merchant')));
    return this.invoices.present(readerOf(caller), id, history);
  }
}

function readerOf({ merchantId, mode, now }: Caller) {
  return { merchantId, mode, nowMs: now };
}
