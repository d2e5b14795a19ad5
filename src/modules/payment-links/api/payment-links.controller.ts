import { paymentSettings } from '../../../vocabulary/payment-settings';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ChecksBody,
  commandContext,
  CurrentCaller,
  RequirePermission,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { PaymentIntentReader } from '../../payment-intents/api/payment-intent.reader';
import { CreatePaymentLink } from '../commands/create-payment-link.command';
import { DeactivatePaymentLink } from '../commands/deactivate-payment-link.command';
import { OpenPaymentLink } from '../commands/open-payment-link.command';
import { PaymentLinkReader } from './payment-link.reader';
import {
  checkLink,
  CreatePaymentLinkDto,
  linkTerms,
  OpenPaymentLinkDto,
  PAYMENT_LINK_OPERATIONS,
  type PaymentLinkResource,
} from './payment-links.contract';

@Tagged('Payment links')
@Controller('v1/payment_links')
export class PaymentLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: PaymentLinkReader,
    private readonly payments: PaymentIntentReader,
  ) {}

  @Post()
  @RequireScope('payment:create')
  @RequirePermission('link.manage')
  @ChecksBody(checkLink)
  @Documented(PAYMENT_LINK_OPERATIONS.create)
  async create(@CurrentCaller() caller: Caller, @Body() body: CreatePaymentLinkDto): Promise<PaymentLinkResource> {
    const command = new CreatePaymentLink(linkTerms(body), commandContext(caller, 'merchant'));
    const { id, history } = await this.commands.execute(command);
    return this.links.present(id, history);
  }

  @Get()
  @RequireScope('payment:read')
  @Documented(PAYMENT_LINK_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.links.list(caller, query);
  }

  @Get(':id')
  @RequireScope('payment:read')
  @Documented(PAYMENT_LINK_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<PaymentLinkResource> {
    return this.links.get(caller, id);
  }

  @Post(':id/deactivate')
  @RequireScope('payment:create')
  @RequirePermission('link.manage')
  @Documented(PAYMENT_LINK_OPERATIONS.deactivate)
  async deactivate(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<PaymentLinkResource> {
    const command = new DeactivatePaymentLink(id, commandContext(caller, 'merchant'));
    return this.links.present(id, await this.commands.execute(command));
  }

  @Post(':id/payment_intents')
  @RequireScope('payment:create')
  @Documented(PAYMENT_LINK_OPERATIONS.open)
  async open(
    @CurrentCaller() caller: Caller,
    @Param('id') link: string,
    @Body() { amount = null }: OpenPaymentLinkDto,
  ) {
    const amountMinorUnits = amount === null ? null : BigInt(amount);
    const opening = { link, amountMinorUnits, settings: paymentSettings(caller) };
    const opened = await this.commands.execute(new OpenPaymentLink(opening, commandContext(caller, 'api')));
    return this.payments.present(caller, opened.id, opened.history);
  }
}
