import {
  webhookEndpointsProjection,
  type WebhookEndpointDocument,
} from '../../../projections/webhook-endpoints/webhook-endpoints.projection';
import type { CommandContext } from '../../kernel/command-context';
import type { Universe } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { webhookEndpoints } from './webhook-endpoint.decider';

/** More than MAX_ENDPOINTS, which creations at the same moment may pass. */
const ENDPOINTS_READ = 100;

/** What scheduling goes by: an endpoint that is not among these is sent nothing. */
export function listedEndpoints(
  readModels: ReadModels,
  merchantId: string | null,
  mode: Universe,
): Promise<readonly Document<WebhookEndpointDocument>[]> {
  const equals = { merchant_id: merchantId, mode };
  return readModels.list(webhookEndpointsProjection, { index: 'by_merchant', equals, limit: ENDPOINTS_READ });
}

/**
 * Resolves once the endpoint is listed as it is at `revision`: what happens after its answer is scheduled by that, in whichever process.
 * Throws Refusal provider_unavailable.
 */
export function assertListed(
  writes: WritePath,
  readModels: ReadModels,
  endpoint: { readonly id: string; readonly revision: number },
  { merchantId, universe }: CommandContext,
): Promise<void> {
  return writes.assertFound(webhookEndpoints, universe, endpoint.id, async () => {
    const listed = await listedEndpoints(readModels, merchantId, universe);
    return listed.some(({ id, version }) => id === endpoint.id && version >= endpoint.revision);
  });
}
