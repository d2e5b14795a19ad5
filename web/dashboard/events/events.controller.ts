import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { presentDeliveryAttempt } from '../../../src/modules/webhooks/api/webhook-endpoint.presenter';
import { WebhookEventReader } from '../../../src/modules/webhooks/api/webhook-event.reader';
import { RedeliverWebhookEvent } from '../../../src/modules/webhooks/commands/redeliver-webhook-event.command';
import { deliveriesReadModel } from '../../../src/modules/webhooks/deliveries.read-model';
import { listedEndpoints } from '../../../src/modules/webhooks/listed-endpoints';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { givenFilters, givenTexts, orFilterFault, placeOf } from '../../http/given-filters';
import { EventPage } from './event.page';
import { EVENT_FILTERS, EventsPage } from './events.page';

/** Attempts to one endpoint that a page shows: the schedule's eight, and the newest ones by hand. */
const SHOWN_ATTEMPTS = 20;

/** The webhook events of an account with their deliveries, whoever listened. */
@Controller('dashboard/:mode/events')
export class EventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: WebhookEventReader,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('webhook.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Record<string, unknown>,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const given = givenFilters(query);
    const reader = readerOf(person);
    const { starting_after: _, limit: __, ...filters } = givenTexts(given);
    const nothing = { filters, events: [], next: null, isFirst: true };
    const { failed, ...others } = given;
    const find = async () => {
      const list = await (failed === 'true'
        ? this.reader.listExhausted(reader, others)
        : this.reader.list(reader, given));
      return { filters, events: list.data, ...placeOf(given, list) };
    };
    const view = () => orFilterFault(EVENT_FILTERS, nothing, find);
    await this.pages.show({ request, reply }, view, shown => h(EventsPage, shown));
  }

  @Get(':id')
  @SignedInPage('webhook.read')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(person, id, { request, reply });
  }

  @Post(':id/redeliver')
  @SignedInForm('webhook.manage', { fields: ['endpoint'] })
  async redeliver(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.send(person, id, asked),
      effect: async ({ context }) => {
        await this.commands.execute(new RedeliverWebhookEvent(id, form.endpoint ?? '', context));
        return `events/${id}`;
      },
    });
  }

  private async send(person: Person, id: string, asked: Asked): Promise<void> {
    const reader = readerOf(person);
    const view = async () => {
      const known = await listedEndpoints(this.readModels, person.merchantId, person.mode);
      const others = known.map(endpoint => endpoint.id);
      const event = await this.reader.getAmong(reader, id, others);
      const endpoints = known.map(({ id: endpoint, body }) => ({
        ...{ id: endpoint, url: body.url, isEnabled: body.status === 'enabled' },
      }));
      const attempts = await Promise.all(event.deliveries.map(({ endpoint }) => this.attempts(id, endpoint)));
      return { event, endpoints, attempts: attempts.flat() };
    };
    await this.pages.show(asked, view, shown => h(EventPage, shown));
  }

  private async attempts(event: string, endpoint: string) {
    const query = { index: 'by_event', equals: { endpoint, event }, descending: true, limit: SHOWN_ATTEMPTS };
    return (await this.readModels.list(deliveriesReadModel, query)).map(presentDeliveryAttempt);
  }
}

function readerOf({ merchantId, mode, facts }: Person) {
  return { merchantId, mode, apiVersion: facts.settings.api_version };
}
