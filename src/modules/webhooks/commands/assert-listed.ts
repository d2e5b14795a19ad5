import type { MerchantContext } from '../../../kernel/command-context';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { WritePath } from '../../../kernel/write-path';
import { listedEndpoints } from '../listed-endpoints';
import { webhookEndpoints } from '../webhook-endpoint.decider';

/**
 * Resolves once the endpoint is listed as it is at `revision`: from then on every process schedules by that state.
 * Throws Refusal provider_unavailable.
 */
export function assertListed(
  writes: WritePath,
  readModels: ReadModels,
  endpoint: { readonly id: string; readonly revision: number },
  { merchantId, universe }: MerchantContext,
): Promise<void> {
  return writes.assertFound(webhookEndpoints, universe, endpoint.id, async () => {
    const listed = await listedEndpoints(readModels, merchantId, universe);
    return listed.some(({ id, version }) => id === endpoint.id && version >= endpoint.revision);
  });
}
