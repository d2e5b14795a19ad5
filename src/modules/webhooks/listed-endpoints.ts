import type { Universe } from '../../vocabulary/modes';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { webhookEndpointsReadModel, type WebhookEndpointDocument } from './webhook-endpoints.read-model';

/** More than MAX_ENDPOINTS, which creations at the same moment may pass. */
const ENDPOINTS_READ = 100;

/** The endpoints for scheduling: any other endpoint is sent nothing. */
export function listedEndpoints(
  readModels: Pick<ReadModels, 'list'>,
  merchantId: string | null,
  mode: Universe,
): Promise<readonly Document<WebhookEndpointDocument>[]> {
  const equals = { merchant_id: merchantId, mode };
  return readModels.list(webhookEndpointsReadModel, { index: 'by_merchant', equals, limit: ENDPOINTS_READ });
}
