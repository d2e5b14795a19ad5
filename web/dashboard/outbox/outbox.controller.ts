import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { GetOutboxMail, ListOutbox } from '../../../src/modules/outbox/queries/outbox-reader';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { parsePage } from '../../../src/platform/http/lists';
import { refuse } from '../../../src/vocabulary/errors';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { givenFilters, placeOf, type Given } from '../../http/given-filters';
import { MailPage } from './mail.page';
import { OutboxPage, type OutboxView } from './outbox.page';

/** The mail that an account has been sent. */
@Controller('dashboard/:mode/outbox')
export class OutboxController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @SignedInPage('outbox.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.found(person, givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(OutboxPage, { view: shown }));
  }

  @Get(':id')
  @SignedInPage('outbox.read')
  async show(
    @CurrentPerson() { merchantId }: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.show(
      { request, reply },
      async () => {
        const found = await this.queries.execute(new GetOutboxMail(merchantId, id));
        if (found === null) throw refuse('resource_missing');
        return found;
      },
      mail => h(MailPage, { mail }),
    );
  }

  private async found({ merchantId }: Person, given: Given): Promise<OutboxView> {
    const { limit, startingAfter } = parsePage(given, []);
    const { mails, hasMore } = await this.queries.execute(new ListOutbox(merchantId, limit, startingAfter));
    return { mails, ...placeOf(given, { data: mails, has_more: hasMore }) };
  }
}
