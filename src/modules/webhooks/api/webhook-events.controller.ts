import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, SendsWebhooks, Tagged } from '../../../platform/http/openapi-operation';
import { RedeliverWebhookEvent } from '../commands/redeliver-webhook-event.command';
import { WebhookEventReader } from './webhook-event.reader';
import { RedeliverDto, SENT_WEBHOOKS, WEBHOOK_EVENT_OPERATIONS } from './webhook-events.contract';

@Tagged('Webhook events')
@SendsWebhooks(SENT_WEBHOOKS)
@Controller('v1/webhook_events')
export class WebhookEventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: WebhookEventReader,
  ) {}

  @Get()
  @RequireScope('webhook:read')
  @Documented(WEBHOOK_EVENT_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.reader.list(caller, query);
  }

  @Get(':id')
  @RequireScope('webhook:read')
  @Documented(WEBHOOK_EVENT_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    return this.reader.get(caller, id);
  }

  @Post(':id/redeliver')
  @HttpCode(200)
  @RequireScope('webhook:manage')
  @Documented(WEBHOOK_EVENT_OPERATIONS.redeliver)
  async redeliver(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() { endpoint }: RedeliverDto) {
    const command = new RedeliverWebhookEvent(id, endpoint, commandContext(caller, 'merchant'));
    const { event, delivery } = await this.commands.execute(command);
    return this.reader.present(caller, event, delivery);
  }
}
