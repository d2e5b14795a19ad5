import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { AccessReader } from '../../../src/kernel/access-reader';
import { isoTime } from '../../../src/kernel/clock';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { GetCheckoutPayment } from '../../../src/modules/checkout/queries/get-checkout-payment.query';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { isPaused } from '../../../src/modules/merchants/merchants.read-model';
import { readAccount } from '../../../src/modules/merchants/read-account';
import { PaymentIntentReader } from '../../../src/modules/payment-intents/api/payment-intent.reader';
import { CreatePaymentIntent } from '../../../src/modules/payment-intents/commands/create-payment-intent.command';
import { SelectMethod } from '../../../src/modules/payment-intents/commands/select-method.command';
import { AdvanceSandboxClock } from '../../../src/modules/sandbox/commands/advance-sandbox-clock.command';
import { SendSandboxTransfer } from '../../../src/modules/sandbox/commands/send-sandbox-transfer.command';
import { aheadMsOf } from '../../../src/modules/sandbox/sandbox-clock.events';
import { sandboxClocksReadModel } from '../../../src/modules/sandbox/sandbox-clocks.read-model';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { DashboardPages, type FormContexts } from '../../http/dashboard-pages';
import { CurrentPerson, SignedInForm, SignedInPage, type Person } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { givenFilters } from '../given-filters';
import { orderOf, outcomeOf, spanOf } from './simulate-form';
import { shownPayment, SimulatePage } from './simulate.page';

const LISTED_PAYMENTS = 10;

/** The panel of test mode: makes payments, and plays their customers and the time. */
@Controller('dashboard/:mode/simulate')
export class SimulateController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reader: PaymentIntentReader,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly access: AccessReader,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('sandbox.use')
  async show(
    @CurrentPerson() person: Person,
    @Query() query: Record<string, unknown>,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { payment } = givenFilters(query);
    await this.send(person, { request, reply }, typeof payment === 'string' ? payment : null);
  }

  @Post('payments')
  @SignedInForm('sandbox.use', { fields: ['amount', 'currency', 'description'] })
  async create(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work(person, { request, reply }, form, async ({ context }) => {
      const { merchant, settings } = await readAccount(this.access, 'test', person.merchantId);
      const order = {
        ...orderOf(form),
        metadata: {},
        successUrl: settings.default_success_url,
        enabledTokens: settings.enabled_tokens,
        isPaused: isPaused(merchant, 'test', person.nowMs),
      };
      return (await this.commands.execute(new CreatePaymentIntent(order, context))).id;
    });
  }

  /** The person plays the customer, who chooses at checkout. */
  @Post('method')
  @SignedInForm('sandbox.use', { fields: ['payment', 'token_id'] })
  async choose(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { payment = '', token_id: tokenId = '' } = form;
    await this.work(person, { request, reply }, form, async ({ context }) => {
      const view = await this.own(person, payment);
      const wallet = view.offers.find(offer => offer.tokenId === tokenId)?.walletId ?? '';
      const asCustomer = { ...context, actor: { ...context.actor, role: 'checkout' } } as const;
      await this.commands.execute(new SelectMethod(payment, tokenId, wallet, asCustomer));
      return payment;
    });
  }

  @Post('transfer')
  @SignedInForm('sandbox.use', { fields: ['payment', 'outcome', 'token_amount'] })
  async pay(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { payment = '', token_amount: typed = '' } = form;
    await this.work(person, { request, reply }, form, async ({ context }) => {
      const order = {
        paymentIntent: payment,
        outcome: outcomeOf(form),
        tokenAmount: typed.trim() || null,
        claim: true,
      };
      await this.commands.execute(new SendSandboxTransfer(order, context));
      return payment;
    });
  }

  @Post('clock')
  @SignedInForm('sandbox.use', { fields: ['payment', 'span'] })
  async advance(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work(person, { request, reply }, form, async ({ context }) => {
      await this.commands.execute(new AdvanceSandboxClock({ type: 'advance', byMs: spanOf(form) }, context));
      return form.payment ?? '';
    });
  }

  /** `effect` answers the payment that the panel shows from then on; empty for none. */
  private async work(
    person: Person,
    asked: Asked,
    form: FormBody,
    effect: (contexts: FormContexts) => Promise<string>,
  ): Promise<void> {
    assertTest(person);
    await this.pages.work(asked, {
      form,
      page: () => this.send(person, asked, form.payment ?? null),
      effect: async contexts => {
        const payment = await effect(contexts);
        return payment === '' ? 'simulate' : `simulate?payment=${encodeURIComponent(payment)}`;
      },
    });
  }

  private async send(person: Person, asked: Asked, payment: string | null): Promise<void> {
    assertTest(person);
    const { merchantId, nowMs: now } = person;
    const view = async () => {
      const clock = await this.readModels.get(sandboxClocksReadModel, 'test', merchantId);
      const query = { limit: String(LISTED_PAYMENTS) };
      const { data } = await this.reader.list({ merchantId, mode: 'test', now }, query);
      return {
        aheadMs: clock ? aheadMsOf(clock.body) : 0,
        recent: data.map(({ id, amount, currency, currency_decimals, status, created }) => ({
          ...{ id, amount, currency, currency_decimals, status, created },
        })),
        chosen: payment === null || payment === '' ? null : shownPayment(await this.own(person, payment)),
      };
    };
    await this.pages.show(asked, view, shown => h(SimulatePage, { ...shown, now: isoTime(now) }));
  }

  /** Throws Refusal resource_missing alike for an unknown id, for another merchant's and for the other mode's. */
  private async own({ merchantId }: Person, payment: string): Promise<CheckoutView> {
    const view = await this.queries.execute(new GetCheckoutPayment(payment));
    if (view?.merchantId !== merchantId || view.mode !== 'test') throw refuse('resource_missing');
    return view;
  }
}

/** Nothing is simulated where money moves. */
function assertTest({ mode }: Person): void {
  if (mode !== 'test') throw refuse('resource_missing');
}
