import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { presentWebhookEndpoint } from '../../../src/modules/webhooks/api/webhook-endpoint.presenter';
import { CreateWebhookEndpoint } from '../../../src/modules/webhooks/commands/create-webhook-endpoint.command';
import { webhookEndpointsReadModel } from '../../../src/modules/webhooks/webhook-endpoints.read-model';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { listOwn } from '../../../src/platform/http/lists';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { givenFilters, placeOf, type Given } from '../../http/given-filters';
import { SUBSCRIBABLE, typesIn } from './endpoint-form';
import { NewEndpointPage } from './new-endpoint.page';
import { SigningSecretPage } from './signing-secret.page';
import { WebhooksPage } from './webhooks.page';

/** The webhook endpoints of an account, by the same commands as the API. */
@Controller('dashboard/:mode/webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('webhook.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const given = givenFilters(query);
    const view = async () => {
      const list = await listOwn(this.readModels, webhookEndpointsReadModel, person, given, {
        url: '',
        present: endpoint => presentWebhookEndpoint(endpoint, person.nowMs),
      });
      return { endpoints: list.data, ...placeOf(given, list) };
    };
    await this.pages.show({ request, reply }, view, shown => h(WebhooksPage, shown));
  }

  @Get('new')
  @SignedInPage('webhook.manage')
  async draft(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(NewEndpointPage, {}));
  }

  @Post('new')
  @SignedInForm('webhook.manage', {
    fields: ['url', 'description'],
    optional: SUBSCRIBABLE,
    highRisk: 'webhook_endpoint.create',
  })
  async create(
    @CurrentPerson() { facts }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.reveal(asked, {
      form,
      page: () => this.pages.send(asked, h(NewEndpointPage, {})),
      effect: async ({ context }) => {
        const terms = {
          url: form.url ?? '',
          description: form.description?.trim() || null,
          enabledEvents: typesIn(form),
          apiVersion: facts.settings.api_version,
        };
        const issued = await this.commands.execute(new CreateWebhookEndpoint(terms, context));
        return h(SigningSecretPage, { ...issued, isRolled: false });
      },
    });
  }
}
