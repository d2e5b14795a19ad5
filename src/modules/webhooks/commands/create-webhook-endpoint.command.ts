import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ApiVersion } from '../../../vocabulary/api-versions';
import type { MerchantContext } from '../../../kernel/command-context';
import { refuse } from '../../../vocabulary/errors';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { SigningSecrets } from '../signing-secrets';
import { webhookEndpoints } from '../webhook-endpoint.decider';
import { webhookEndpointsReadModel } from '../webhook-endpoints.read-model';
import { ADDRESS_RULES, webhookUrl, type AddressRules } from '../webhook-url';
import { assertListed } from './assert-listed';

/** Every event goes to each endpoint that wants it, so their number bounds the work that one payment makes. */
const MAX_ENDPOINTS = 16;

type WebhookEndpointTerms = {
  readonly url: string;
  readonly description: string | null;
  readonly enabledEvents: readonly string[];
  /** The version for good: all webhooks to the endpoint keep this version's shape. */
  readonly apiVersion: ApiVersion;
};

/** `secret` is the signing secret's text, which is shown this once. */
export type IssuedSecret = { readonly endpointId: string; readonly secret: string };

export class CreateWebhookEndpoint extends Command<IssuedSecret> {
  constructor(
    readonly terms: WebhookEndpointTerms,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhookEndpoint)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpoint> {
  constructor(
    private readonly writes: WritePath,
    private readonly secrets: SigningSecrets,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(ADDRESS_RULES) private readonly addresses: AddressRules,
  ) {}

  async execute({ terms, context }: CreateWebhookEndpoint): Promise<IssuedSecret> {
    const endpointId = await this.secrets.idOf('we', context);
    const url = webhookUrl(terms.url, context.universe, this.addresses);
    await this.assertRoom(endpointId, context);
    const secret = await this.secrets.issue(context);
    const command = { ...terms, type: 'create', url, secret } as const;
    const { state, revision } = await this.writes.execute(webhookEndpoints, endpointId, command, context);
    const text = await this.secrets.openIssued(state, secret);
    await assertListed(this.writes, this.readModels, { id: endpointId, revision }, context);
    return { endpointId, secret: text };
  }

  /** Two creations at once may pass together; the bound only has to hold the order of magnitude. */
  private async assertRoom(endpointId: string, { merchantId, universe }: MerchantContext): Promise<void> {
    const standing = await this.readModels.list(webhookEndpointsReadModel, {
      index: 'by_merchant',
      equals: { merchant_id: merchantId, mode: universe },
      limit: MAX_ENDPOINTS,
    });
    if (standing.length < MAX_ENDPOINTS || standing.some(({ id }) => id === endpointId)) return;
    throw refuse('invalid_request', {
      message: `An account has at most ${MAX_ENDPOINTS} webhook endpoints in a mode.`,
    });
  }
}
