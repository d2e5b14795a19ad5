import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { foldedDocument } from '../../../kernel/folded-document';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import {
  ChecksBody,
  commandContext,
  CurrentCaller,
  HighRisk,
  OneTimeSecret,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { getOwn, listOwn, listPage, parsePage } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ChangeWebhookEndpoint } from '../commands/change-webhook-endpoint.command';
import { CreateWebhookEndpoint, type IssuedSecret } from '../commands/create-webhook-endpoint.command';
import { RollSigningSecret } from '../commands/roll-signing-secret.command';
import { deliveriesReadModel } from '../deliveries.read-model';
import { webhookEndpointsReadModel } from '../webhook-endpoints.read-model';
import { presentDeliveryAttempt, presentWebhookEndpoint } from './webhook-endpoint.presenter';
import {
  ChangeWebhookEndpointDto,
  checkEndpoint,
  checkEndpointChange,
  CreateWebhookEndpointDto,
  WEBHOOK_ENDPOINT_OPERATIONS,
  type IssuedWebhookEndpointResource,
  type WebhookEndpointResource,
} from './webhook-endpoints.contract';

const URL_PATH = '/v1/webhook_endpoints';

@Tagged('Webhook endpoints')
@Controller('v1/webhook_endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('webhook:manage')
  @HighRisk('webhook_endpoint.create')
  @ChecksBody(checkEndpoint)
  @OneTimeSecret()
  @Documented(WEBHOOK_ENDPOINT_OPERATIONS.create)
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateWebhookEndpointDto) {
    const { url, description = null, enabled_events: enabledEvents } = body;
    const terms = { url, description, enabledEvents, apiVersion: caller.apiVersion };
    const context = commandContext(caller, 'merchant');
    return this.presentIssued(await this.commands.execute(new CreateWebhookEndpoint(terms, context)), caller);
  }

  @Get()
  @RequireScope('webhook:read')
  @Documented(WEBHOOK_ENDPOINT_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return listOwn(this.readModels, webhookEndpointsReadModel, caller, query, {
      url: URL_PATH,
      present: endpoint => presentWebhookEndpoint(endpoint, caller.now),
    });
  }

  @Get(':id')
  @RequireScope('webhook:read')
  @Documented(WEBHOOK_ENDPOINT_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointResource> {
    return this.present(id, caller);
  }

  @Post(':id')
  @HttpCode(200)
  @RequireScope('webhook:manage')
  @HighRisk('webhook_endpoint.change')
  @ChecksBody(checkEndpointChange)
  @Documented(WEBHOOK_ENDPOINT_OPERATIONS.change)
  async change(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: ChangeWebhookEndpointDto) {
    const { url, description, enabled_events: enabledEvents, status } = body;
    const changes = {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(enabledEvents !== undefined && { enabledEvents }),
      ...(status !== undefined && { status }),
    };
    const command = new ChangeWebhookEndpoint(id, changes, commandContext(caller, 'merchant'));
    const history = await this.commands.execute(command);
    const endpoint = foldedDocument(this.readModels, webhookEndpointsReadModel, id, history);
    return presentWebhookEndpoint(endpoint, caller.now);
  }

  @Post(':id/roll_secret')
  @HttpCode(200)
  @RequireScope('webhook:manage')
  @HighRisk('webhook_endpoint.roll_secret')
  @OneTimeSecret()
  @Documented(WEBHOOK_ENDPOINT_OPERATIONS.rollSecret)
  async rollSecret(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    const context = commandContext(caller, 'merchant');
    return this.presentIssued(await this.commands.execute(new RollSigningSecret(id, context)), caller);
  }

  @Get(':id/deliveries')
  @RequireScope('webhook:manage')
  @Documented(WEBHOOK_ENDPOINT_OPERATIONS.deliveries)
  async deliveries(@CurrentCaller() caller: Caller, @Param('id') id: string, @Query() query: Record<string, unknown>) {
    const page = parsePage(query, ['event']);
    await this.present(id, caller);
    const { event } = page.filters;
    const source = {
      index: event === undefined ? 'by_endpoint' : 'by_event',
      equals: { endpoint: id, ...(event !== undefined && { event }) },
      order: ['created', 'id'],
      universe: caller.mode,
    };
    return listPage(this.readModels, deliveriesReadModel, source, page, {
      url: `${URL_PATH}/${id}/deliveries`,
      present: presentDeliveryAttempt,
    });
  }

  private async present(id: string, caller: Caller): Promise<WebhookEndpointResource> {
    const named = { prefix: 'we', id, notFound: 'unknown_endpoint' } as const;
    return presentWebhookEndpoint(await getOwn(this.readModels, webhookEndpointsReadModel, caller, named), caller.now);
  }

  private async presentIssued(
    { endpointId, secret }: IssuedSecret,
    caller: Caller,
  ): Promise<IssuedWebhookEndpointResource> {
    return { ...(await this.present(endpointId, caller)), secret };
  }
}
