import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccessReader } from '../../../kernel/access-reader';
import { invariant } from '../../../kernel/invariant';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { ChecksBody, commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { filterOf, getOwn, listPage, parsePage } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { readAccount } from '../../merchants/read-account';
import { DraftInvoice } from '../commands/draft-invoice.command';
import { IssueInvoice, VoidInvoice } from '../commands/invoice-payments.command';
import { SendInvoice } from '../commands/send-invoice.command';
import { INVOICE_STATUSES } from '../invoice.state';
import { invoicesReadModel } from '../invoices.read-model';
import { InvoicePresenter } from './invoice.presenter';
import { checkDraft, DraftInvoiceDto, draftOf, INVOICE_OPERATIONS, type InvoiceResource } from './invoices.contract';

const URL_PATH = '/v1/invoices';

@Tagged('Invoices')
@Controller('v1/invoices')
export class InvoicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly access: AccessReader,
    private readonly presenter: InvoicePresenter,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Post()
  @RequireScope('invoice:create')
  @ChecksBody(checkDraft)
  @Documented(INVOICE_OPERATIONS.draft)
  async draft(@CurrentCaller() caller: Caller, @Body() body: DraftInvoiceDto): Promise<InvoiceResource> {
    const { merchantId, mode, now } = caller;
    const { settings } = await readAccount(this.access, mode, merchantId);
    const { invoice_prefix: prefix, enabled_tokens: enabledTokens } = settings;
    const order = { prefix, enabledTokens, draft: draftOf(body, settings) };
    const { id, history } = await this.commands.execute(new DraftInvoice(order, commandContext(caller, 'api')));
    const [drafted] = this.readModels.fold(invoicesReadModel, history);
    invariant(drafted?.id === id, `the history of ${id} makes no invoice`);
    return this.presenter.present(id, drafted.body, now);
  }

  @Get()
  @RequireScope('invoice:read')
  @Documented(INVOICE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    const page = parsePage(query, ['status']);
    const status = filterOf(page, 'status', INVOICE_STATUSES);
    const own = { merchant_id: caller.merchantId, mode: caller.mode };
    const source = {
      ...(status === undefined
        ? { index: 'by_merchant', equals: own }
        : { index: 'by_status', equals: { ...own, status } }),
      order: ['sequence', 'id'],
    };
    return listPage(this.readModels, invoicesReadModel, source, page, {
      url: URL_PATH,
      present: ({ id, body }) => this.presenter.present(id, body, caller.now),
    });
  }

  @Get(':id')
  @RequireScope('invoice:read')
  @Documented(INVOICE_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    return this.present(id, caller);
  }

  @Post(':id/issue')
  @HttpCode(200)
  @RequireScope('invoice:create')
  @Documented(INVOICE_OPERATIONS.issue)
  async issue(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    await this.commands.execute(new IssueInvoice(id, commandContext(caller, 'api')));
    return this.present(id, caller);
  }

  @Post(':id/void')
  @HttpCode(200)
  @RequireScope('invoice:create')
  @Documented(INVOICE_OPERATIONS.void)
  async void(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    await this.commands.execute(new VoidInvoice(id, commandContext(caller, 'merchant')));
    return this.present(id, caller);
  }

  @Post(':id/send')
  @HttpCode(200)
  @RequireScope('invoice:create')
  @Documented(INVOICE_OPERATIONS.send)
  async send(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<InvoiceResource> {
    await this.commands.execute(new SendInvoice(id, commandContext(caller, 'merchant')));
    return this.present(id, caller);
  }

  private async present(id: string, caller: Caller): Promise<InvoiceResource> {
    const named = { prefix: 'inv', id, notFound: 'resource_missing' } as const;
    const { body } = await getOwn(this.readModels, invoicesReadModel, caller, named);
    return this.presenter.present(id, body, caller.now);
  }
}
