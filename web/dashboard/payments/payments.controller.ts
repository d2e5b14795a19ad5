import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { paymentSettingsOf } from '../../../src/modules/merchants/read-account';
import { CreatePaymentIntent } from '../../../src/modules/payment-intents/commands/create-payment-intent.command';
import { FindPayments } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { isFiltered, parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { zonedDay } from '../../words/zoned-days';
import { givenTexts, orFilterFault, type Given } from '../../http/given-filters';
import { NewPaymentPage } from './new-payment.page';
import { PAYMENT_FILTERS, PaymentsPage, type PaymentsView } from './payments.page';
import { typedOrder } from './typed-order';

const ORDER_FIELDS = ['amount', 'currency', 'description', 'metadata'] as const;

/** The list of payments, and the form for a new one. */
@Controller('dashboard/:mode/payments')
export class PaymentsController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @SignedInPage('payment.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.show(
      asked,
      () => this.found(person, query),
      view => h(PaymentsPage, { view }),
    );
  }

  @Get('new')
  @SignedInPage('payment.create')
  async form(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(NewPaymentPage, {}));
  }

  @Post('new')
  @SignedInForm('payment.create', { fields: ORDER_FIELDS })
  async create(
    @CurrentPerson() { facts, mode, nowMs }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.work(
      { request, reply },
      {
        form,
        page: () => this.form(request, reply),
        effect: async ({ context }) => {
          const account = paymentSettingsOf(facts, mode, nowMs);
          const order = { ...typedOrder(form), successUrl: account.defaultSuccessUrl, account };
          const { id } = await this.commands.execute(new CreatePaymentIntent(order, context));
          return `payments/${id}`;
        },
      },
    );
  }

  private found({ merchantId, mode, timeZone }: Person, query: Given): Promise<PaymentsView> {
    const { starting_after: startingAfter = '', ...typed } = givenTexts(query);
    const shown = { query: typed, isFirst: startingAfter === '' };
    const nothing = { ...shown, isFiltered: true, found: { rows: [], next: null, isCut: false } };
    return orFilterFault(PAYMENT_FILTERS, nothing, async () => {
      const created_from = zonedDay(typed.created_from, 'first', timeZone, 'created_from');
      const created_to = zonedDay(typed.created_to, 'last', timeZone, 'created_to');
      const given = { ...query, ...(created_from && { created_from }), ...(created_to && { created_to }) };
      const { filters, limit, startingAfter: after } = parsePaymentFilters(given);
      const found = await this.queries.execute(new FindPayments(merchantId, mode, filters, limit, after));
      return { ...shown, isFiltered: isFiltered(filters), found };
    });
  }
}
