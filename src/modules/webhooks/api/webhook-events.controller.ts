import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { RedeliverWebhookEvent } from '../../../processes/webhook-delivery/redeliver-webhook-event.command';
import { RedeliverDto } from './webhook-endpoint.dto';
import { WebhookEventReader } from './webhook-event.reader';

@ApiTags('Webhook events')
@ApiBearerAuth()
@Controller('v1/webhook_events')
export class WebhookEventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: WebhookEventReader,
  ) {}

  @Get()
  @RequireScope('webhook:read')
  @ApiOperation({ summary: 'List events, newest first; `delivered=false` are those that an endpoint has missed' })
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.reader.list(caller, query);
  }

  @Get(':id')
  @RequireScope('webhook:read')
  @ApiOperation({ summary: 'Retrieve an event, as it was and will be delivered' })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    return this.reader.get(caller, id);
  }

  @Post(':id/redeliver')
  @HttpCode(200)
  @RequireScope('webhook:manage')
  @ApiOperation({ summary: 'Make an attempt now, beside the schedule; answers when it was made' })
  async redeliver(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() { endpoint }: RedeliverDto) {
    await this.commands.execute(new RedeliverWebhookEvent(id, endpoint, commandContext(caller, 'merchant')));
    return this.reader.get(caller, id, endpoint);
  }
}
