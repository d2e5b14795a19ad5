import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { refuse } from '../../src/vocabulary/errors';
import type { ApiRequest } from '../../src/platform/http/caller';
import { SentForm, TakesForm, type FormBody } from '../../src/platform/http/form-body';
import { GetCheckoutNaming } from '../../src/modules/checkout/queries/get-checkout-naming.query';
import { RestartPayment } from '../../src/modules/payment-intents/commands/restart-payment.command';
import { SelectMethod } from '../../src/modules/payment-intents/commands/select-method.command';
import { AttributeTransaction } from '../../src/modules/transfers/commands/attribute-transaction.command';
import { NAMING, CustomerPages } from '../http/customer-pages';
import { NoPage } from '../page-routes';
import { CheckoutPages } from './checkout-pages';
import { NamingPage } from './naming.page';
import { ReceiptPage } from './receipt.page';

/** Where customers pay. A payment's id is unguessable and opens its pages; nothing else does. */
@Controller('checkout')
export class CheckoutController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly pages: CheckoutPages,
    private readonly customers: CustomerPages,
  ) {}

  @Get(':id')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendCheckout({ request, reply, id });
  }

  @Post(':id/method')
  @TakesForm('form_id', 'token_id')
  async selectMethod(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.work({ request, reply, id, form, kind: 'method' }, async ({ methods }, context) => {
      await this.commands.execute(new SelectMethod(id, form.token_id ?? '', null, methods, context));
      return this.pages.pathOf(id);
    });
  }

  @Post(':id/claims')
  @TakesForm('form_id', 'tx_hash')
  async name(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.work({ request, reply, id, form, kind: NAMING }, async (_, context) => {
      const named = { text: form.tx_hash?.trim() ?? '', logIndex: null };
      const outcome = await this.commands.execute(new AttributeTransaction(id, named, 'checkout', context));
      return outcome.kind === 'attributed'
        ? this.pages.pathOf(id)
        : `${this.pages.pathOf(id)}/claims/${outcome.namingId}`;
    });
  }

  @Get(':id/claims/:claim')
  async showNaming(
    @Param('id') id: string,
    @Param('claim') namingId: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const named = await this.queries.execute(new GetCheckoutNaming(id, namingId));
    if (!named) throw refuse('payment_not_found');
    const path = this.pages.pathOf(id);
    const page = h(NamingPage, { ...named, path });
    await this.customers.send({ request, reply, id }, `${path}/claims/${named.naming.id}`, () => page);
  }

  @Post(':id/restart')
  @TakesForm('form_id')
  async restart(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.work({ request, reply, id, form, kind: 'restart' }, async (terms, context) =>
      this.pages.pathOf(await this.commands.execute(new RestartPayment(id, terms, context))),
    );
  }

  @Get(':id/receipt')
  async receipt(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const path = this.pages.pathOf(id);
    const view = await this.pages.view(id);
    // Nothing was paid of which a receipt could tell.
    if (view.payment.confirmed_at === null) throw refuse('payment_not_found');
    await this.customers.send({ request, reply, id }, `${path}/receipt`, () => h(ReceiptPage, { view, path }));
  }

  /** The address of a refused form, reloaded, leads back to the payment. */
  @Get([':id/method', ':id/claims', ':id/restart'])
  @NoPage()
  reload(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): void {
    this.customers.leadBack({ request, reply, id }, 'checkout');
  }

  @Get(':id/events')
  @NoPage()
  async events(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.listen({ request, reply, id });
  }
}
