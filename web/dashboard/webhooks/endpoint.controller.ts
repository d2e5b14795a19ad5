import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import {
  presentDeliveryAttempt,
  presentWebhookEndpoint,
} from '../../../src/modules/webhooks/api/webhook-endpoint.presenter';
import type {
  DeliveryAttemptResource,
  WebhookEndpointResource,
} from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import { ChangeWebhookEndpoint } from '../../../src/modules/webhooks/commands/change-webhook-endpoint.command';
import { RollSigningSecret } from '../../../src/modules/webhooks/commands/roll-signing-secret.command';
import { deliveriesReadModel } from '../../../src/modules/webhooks/deliveries.read-model';
import { webhookEndpointsReadModel } from '../../../src/modules/webhooks/webhook-endpoints.read-model';
import { webhookEventsReadModel } from '../../../src/modules/webhooks/webhook-events.read-model';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { checkOwn, getOwn, listPage, parsePage } from '../../../src/platform/http/lists';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { givenFilters, placeOf, type Given } from '../../http/given-filters';
import { SUBSCRIBABLE, typesIn } from './endpoint-form';
import { EndpointPage } from './endpoint.page';
import { SigningSecretPage } from './signing-secret.page';

type Changes = ConstructorParameters<typeof ChangeWebhookEndpoint>[1];

/** One webhook endpoint with its deliveries. */
@Controller('dashboard/:mode/webhooks/:id')
export class EndpointController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('webhook.read')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(person, id, { request, reply }, givenFilters(query));
  }

  @Post('change')
  @SignedInForm('webhook.manage', {
    fields: ['url', 'description'],
    optional: SUBSCRIBABLE,
    highRisk: 'webhook_endpoint.change',
  })
  async change(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const description = form.description?.trim() || null;
    await this.changed(person, id, { request, reply }, form, {
      url: form.url ?? '',
      description,
      enabledEvents: typesIn(form),
    });
  }

  @Post('enable')
  @SignedInForm('webhook.manage', { highRisk: 'webhook_endpoint.change' })
  async enable(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.changed(person, id, { request, reply }, form, { status: 'enabled' });
  }

  @Post('disable')
  @SignedInForm('webhook.manage', { highRisk: 'webhook_endpoint.change' })
  async disable(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.changed(person, id, { request, reply }, form, { status: 'disabled' });
  }

  @Post('roll')
  @SignedInForm('webhook.manage', { highRisk: 'webhook_endpoint.roll_secret' })
  async roll(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await checkOwn(this.readModels, webhookEndpointsReadModel, person, namedBy(id));
    await this.pages.reveal(asked, {
      form,
      page: () => this.send(person, id, asked),
      effect: async ({ context }) => {
        const issued = await this.commands.execute(new RollSigningSecret(id, context));
        return h(SigningSecretPage, { ...issued, isRolled: true });
      },
    });
  }

  private async changed(person: Person, id: string, asked: Asked, form: FormBody, changes: Changes): Promise<void> {
    await checkOwn(this.readModels, webhookEndpointsReadModel, person, namedBy(id));
    await this.pages.work(asked, {
      form,
      page: () => this.send(person, id, asked),
      effect: async ({ context }) => {
        await this.commands.execute(new ChangeWebhookEndpoint(id, changes, context));
        return `webhooks/${id}`;
      },
    });
  }

  private async send(person: Person, id: string, asked: Asked, query: Given = {}): Promise<void> {
    const page = parsePage(query, []);
    const source = { index: 'by_endpoint', equals: { endpoint: id }, order: ['created', 'id'], universe: person.mode };
    const view = async () => {
      const endpoint = await this.own(person, id);
      const list = await listPage(this.readModels, deliveriesReadModel, source, page, {
        url: '',
        present: presentDeliveryAttempt,
      });
      const types = await this.typesOf(list.data, person);
      return { endpoint, attempts: list.data, types, ...placeOf(query, list) };
    };
    await this.pages.show(asked, view, shown => h(EndpointPage, shown));
  }

  private async typesOf(
    attempts: readonly DeliveryAttemptResource[],
    { mode }: Person,
  ): Promise<Readonly<Record<string, string>>> {
    const ids = [...new Set(attempts.map(({ event }) => event))];
    const events = await Promise.all(ids.map(id => this.readModels.get(webhookEventsReadModel, mode, id)));
    return Object.fromEntries(events.flatMap(event => (event === null ? [] : [[event.id, event.body.type]])));
  }

  private async own(person: Person, id: string): Promise<WebhookEndpointResource> {
    const endpoint = await getOwn(this.readModels, webhookEndpointsReadModel, person, namedBy(id));
    return presentWebhookEndpoint(endpoint, person.nowMs);
  }
}

function namedBy(id: string) {
  return { prefix: 'we', id, notFound: 'resource_missing' } as const;
}
