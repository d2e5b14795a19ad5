import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { webhookEndpoints, type WebhookEndpointChanges } from '../webhook-endpoint.decider';
import { ADDRESS_RULES, webhookUrl, type AddressRules } from '../webhook-url';
import { assertListed } from './assert-listed';

type RequestedChanges = Omit<WebhookEndpointChanges, 'url'> & { readonly url?: string };

/** A field that `changes` leaves out stays as it is. Answers the endpoint's stream. */
export class ChangeWebhookEndpoint extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly endpointId: string,
    readonly changes: RequestedChanges,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhookEndpoint)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpoint> {
  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(ADDRESS_RULES) private readonly addresses: AddressRules,
  ) {}

  async execute({ endpointId, changes: { url, ...others }, context }: ChangeWebhookEndpoint) {
    const moved = url === undefined ? {} : { url: webhookUrl(url, context.universe, this.addresses) };
    const command = { type: 'change', changes: { ...others, ...moved } } as const;
    const { revision, history } = await this.writes.execute(webhookEndpoints, endpointId, command, context);
    // The URL is read from the endpoint's stream for each attempt; status and events are read from the list.
    const isListed = others.status !== undefined || others.enabledEvents !== undefined;
    if (isListed) await assertListed(this.writes, this.readModels, { id: endpointId, revision }, context);
    return history;
  }
}
