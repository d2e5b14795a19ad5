import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { refuse } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/event';
import { isId } from '../../../kernel/ids';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { webhookEndpointsReadModel, type WebhookEndpointDocument } from '../webhook-endpoints.read-model';

/** Throws Refusal unknown_endpoint for an endpoint that this merchant and mode do not have. */
export class GetWebhookEndpoint extends Query<Document<WebhookEndpointDocument>> {
  constructor(
    readonly merchantId: string,
    readonly mode: Mode,
    readonly endpointId: string,
  ) {
    super();
  }
}

@QueryHandler(GetWebhookEndpoint)
export class GetWebhookEndpointHandler implements IQueryHandler<GetWebhookEndpoint> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ merchantId, mode, endpointId }: GetWebhookEndpoint): Promise<Document<WebhookEndpointDocument>> {
    const known = isId('we', endpointId);
    const endpoint = known ? await this.readModels.get(webhookEndpointsReadModel, mode, endpointId) : null;
    if (endpoint?.body.merchant_id !== merchantId || endpoint.body.mode !== mode) throw refuse('unknown_endpoint');
    return endpoint;
  }
}
