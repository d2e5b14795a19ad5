import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { FindPayments, type PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { GetPaymentTimeline } from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import type { EvidenceFact } from '../../../src/modules/payment-intents/queries/payment-evidence';
import { parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages, type DashboardContexts } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { ReviewDecisions } from '../payments/review-decisions';
import { ReviewsPage, type ReviewsView } from './reviews.page';

/** A page is short: an inferred transfer is shown with its grounds. */
const ROWS = 10;

/** The queue of payments that wait for their merchant's decision. */
@Controller('dashboard/:mode/reviews')
export class ReviewsController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly queries: QueryBus,
    private readonly decisions: ReviewDecisions,
  ) {}

  @Get()
  @SignedInPage('payment.read')
  async list(
    @CurrentPerson() person: Person,
    @Query('starting_after') after: unknown,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.page({ request, reply }, person, after);
  }

  @Post(':id/accept')
  @SignedInForm('payment.decide', { fields: ['note'] })
  async accept(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, form, ({ context }) => this.decisions.accept(id, form, context));
  }

  @Post(':id/reject')
  @SignedInForm('payment.decide', { fields: ['note'] })
  async reject(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, form, ({ context }) => this.decisions.reject(id, form, context));
  }

  private async work(
    asked: Asked,
    person: Person,
    form: FormBody,
    effect: (contexts: DashboardContexts) => Promise<void>,
  ): Promise<void> {
    await this.pages.work(asked, {
      form,
      page: () => this.page(asked, person, undefined),
      effect: async contexts => {
        await effect(contexts);
        return 'reviews';
      },
    });
  }

  private async page(asked: Asked, person: Person, after: unknown): Promise<void> {
    await this.pages.show(
      asked,
      () => this.view(person, after),
      view => h(ReviewsPage, { view }),
    );
  }

  private async view(person: Person, after: unknown): Promise<ReviewsView> {
    const { merchantId, mode } = person;
    const query = { status: 'needs_decision', ...(after !== undefined && { starting_after: after }) };
    const { filters, startingAfter } = parsePaymentFilters(query);
    const found = await this.queries.execute(new FindPayments(merchantId, mode, filters, ROWS, startingAfter));
    const evidence: Record<string, readonly EvidenceFact[]> = {};
    for (const row of found.rows.filter(({ isInferred }) => isInferred))
      evidence[row.id] = await this.groundsOf(row, person);
    return { found, isFirst: startingAfter === null, evidence };
  }

  private async groundsOf({ id }: PaymentRow, reader: Person): Promise<readonly EvidenceFact[]> {
    const { entries } = await this.queries.execute(new GetPaymentTimeline(id, reader, null));
    const facts = entries.flatMap(entry => (entry.kind === 'event' ? entry.facts : []));
    return facts.filter(({ name }) => name.startsWith('inference_'));
  }
}
