import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { isoTime } from '../../../src/kernel/clock';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { GetPlayedPayment } from '../../../src/modules/checkout/queries/get-played-payment.query';
import { paymentSettingsOf, type AccountNow } from '../../../src/modules/merchants/read-account';
import { CreatePaymentIntent } from '../../../src/modules/payment-intents/commands/create-payment-intent.command';
import { SelectMethod } from '../../../src/modules/payment-intents/commands/select-method.command';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import { FindPayments } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import { AdvanceSandboxClock } from '../../../src/modules/sandbox/commands/advance-sandbox-clock.command';
import { SendSandboxTransfer } from '../../../src/modules/sandbox/commands/send-sandbox-transfer.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { isId } from '../../../src/vocabulary/ids';
import { DashboardPages, type DashboardContexts } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { typedOrder } from '../payments/typed-order';
import { shownPayment, type ShownPayment } from './shown-payment';
import { outcomeOf, spanOf } from './simulate-form';
import { SimulatePage } from './simulate.page';

const LISTED_PAYMENTS = 10;

/** The panel of test mode: makes payments, and plays their customers and the time. */
@Controller('dashboard/:mode/simulate')
export class SimulateController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('sandbox.use')
  async start(@CurrentPerson() person: Person, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send(person, { request, reply }, null);
  }

  @Post('payments')
  @SignedInForm('sandbox.use', { fields: ['amount', 'currency', 'description'] })
  async create(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work(person, { request, reply }, form, null, async ({ context }) => {
      const account = paymentSettingsOf(person.facts, 'test', person.nowMs);
      const order = { ...typedOrder(form), successUrl: account.defaultSuccessUrl, account };
      return (await this.commands.execute(new CreatePaymentIntent(order, context))).id;
    });
  }

  @Post('clock')
  @SignedInForm('sandbox.use', { fields: ['span'] })
  async advance(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work(person, { request, reply }, form, null, contexts => this.pass(form, contexts));
  }

  @Get(':id')
  @SignedInPage('sandbox.use')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(person, { request, reply }, id);
  }

  /** The person plays the customer, who chooses at checkout. */
  @Post(':id/method')
  @SignedInForm('sandbox.use', { fields: ['token_id'] })
  async choose(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.assertOwn(person, id);
    await this.work(person, { request, reply }, form, id, async ({ context }) => {
      const { token_id: tokenId = '' } = form;
      const asCustomer = { ...context, actor: { ...context.actor, role: 'checkout' } } as const;
      await this.commands.execute(new SelectMethod(id, tokenId, null, person.facts.methods, asCustomer));
      return id;
    });
  }

  /** The command reads the payment, which has to be the merchant's own. */
  @Post(':id/transfer')
  @SignedInForm('sandbox.use', { fields: ['outcome', 'token_amount'] })
  async pay(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work(person, { request, reply }, form, id, async ({ context }) => {
      const tokenAmount = form.token_amount?.trim() || null;
      const order = { paymentIntent: id, outcome: outcomeOf(form), tokenAmount, namesTransaction: true };
      await this.commands.execute(new SendSandboxTransfer(order, context));
      return id;
    });
  }

  @Post(':id/clock')
  @SignedInForm('sandbox.use', { fields: ['span'] })
  async advanceBeside(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.assertOwn(person, id);
    await this.work(person, { request, reply }, form, id, async contexts => {
      await this.pass(form, contexts);
      return id;
    });
  }

  private async pass(form: FormBody, { context }: DashboardContexts): Promise<null> {
    await this.commands.execute(new AdvanceSandboxClock({ type: 'advance', byMs: spanOf(form) }, context));
    return null;
  }

  /** `effect` answers the payment that the panel shows from then on; null for none. */
  private async work(
    person: Person,
    asked: Asked,
    form: FormBody,
    payment: string | null,
    effect: (contexts: DashboardContexts) => Promise<string | null>,
  ): Promise<void> {
    assertTest(person);
    await this.pages.work(asked, {
      form,
      page: () => this.send(person, asked, payment),
      effect: async contexts => {
        const shown = await effect(contexts);
        return shown === null ? 'simulate' : `simulate/${shown}`;
      },
    });
  }

  private async send(person: Person, asked: Asked, payment: string | null): Promise<void> {
    assertTest(person);
    const view = async ({ merchantId, facts, nowMs }: Person) => {
      const { filters } = parsePaymentFilters({});
      const recent = new FindPayments(merchantId, 'test', filters, LISTED_PAYMENTS, null);
      return {
        aheadMs: facts.clock.aheadMs,
        recent: (await this.queries.execute(recent)).rows,
        chosen: payment === null ? null : await this.played(payment, merchantId, { account: facts, nowMs }),
      };
    };
    await this.pages.show(asked, view, shown => h(SimulatePage, { ...shown, now: isoTime(person.nowMs) }));
  }

  /** Throws the refusal of `assertOwn`. */
  private async played(payment: string, merchantId: string, account: AccountNow): Promise<ShownPayment> {
    const view = await this.queries.execute(new GetPlayedPayment(payment, merchantId, account));
    if (!view) throw refuse('resource_missing');
    return shownPayment(view);
  }

  /** Throws Refusal resource_missing alike for an unknown payment, for another merchant's and for the other mode's. */
  private async assertOwn(person: Person, payment: string): Promise<void> {
    assertTest(person);
    const isNamed = isId('pi', payment);
    const found = isNamed ? await this.readModels.stored(paymentIntentsReadModel, ['test'], payment) : null;
    if (found?.body.merchant_id !== person.merchantId) throw refuse('resource_missing');
  }
}

/** Nothing is simulated where money moves. */
function assertTest({ mode }: Person): void {
  if (mode !== 'test') throw refuse('resource_missing');
}
