import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { CancelPaymentIntent } from '../../../src/modules/payment-intents/commands/cancel-payment-intent.command';
import {
  GetPaymentTimeline,
  type Moment,
} from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { AttributeTransaction } from '../../../src/modules/transfers/commands/attribute-transaction.command';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { askedMoment } from '../../http/asked-moment';
import { DashboardPages, type DashboardContexts } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { actorNames } from './actor-names';
import { PaymentPage } from './payment.page';
import { ReviewDecisions } from './review-decisions';

const LOG_INDEX = /^\d{1,7}$/;

/** One payment, and the steps that people take on it. */
@Controller('dashboard/:mode/payments/:id')
export class PaymentController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly decisions: ReviewDecisions,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Get()
  @SignedInPage('payment.read')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Query('as_of') asOf: unknown,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.page({ request, reply }, person, id, askedMoment(asOf));
  }

  @Post('cancel')
  @SignedInForm('payment.cancel')
  async cancel(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, id, form, async ({ context }) => {
      await this.commands.execute(new CancelPaymentIntent(id, context));
    });
  }

  @Post('accept')
  @SignedInForm('payment.decide', { fields: ['note'] })
  async accept(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, id, form, ({ context }) => this.decisions.accept(id, form, context));
  }

  @Post('reject')
  @SignedInForm('payment.decide', { fields: ['note'] })
  async reject(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, id, form, ({ context }) => this.decisions.reject(id, form, context));
  }

  @Post('transaction')
  @SignedInForm('transfer.attribute', { fields: ['tx_hash', 'log_index'] })
  async name(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, id, form, async ({ context }) => {
      const named = { text: (form.tx_hash ?? '').trim(), logIndex: logIndexOf(form.log_index) };
      await this.commands.execute(new AttributeTransaction(id, named, 'merchant', context));
    });
  }

  private async work(
    asked: Asked,
    person: Person,
    id: string,
    form: FormBody,
    effect: (contexts: DashboardContexts) => Promise<void>,
  ): Promise<void> {
    await this.pages.work(asked, {
      form,
      page: () => this.page(asked, person, id, null),
      effect: async contexts => {
        await effect(contexts);
        return `payments/${id}`;
      },
    });
  }

  private async page(asked: Asked, { merchantId, mode, nowMs }: Person, id: string, moment: Moment | null) {
    const query = new GetPaymentTimeline(id, { merchantId, mode, nowMs }, moment);
    const view = async () => {
      const timeline = await this.queries.execute(query);
      return { timeline, names: await actorNames(this.readModels, { merchantId, mode }, timeline) };
    };
    await this.pages.show(asked, view, shown => h(PaymentPage, shown));
  }
}

/** Throws Refusal invalid_log_index. */
function logIndexOf(text: string = ''): number | null {
  if (text.trim() === '') return null;
  if (!LOG_INDEX.test(text.trim())) throw refuse('invalid_log_index', { param: 'log_index' });
  return Number(text);
}
