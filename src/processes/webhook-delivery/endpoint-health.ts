import { HOUR_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import type { ReadModels } from '../../kernel/ports/read-models';
import { deliveriesReadModel } from '../../modules/webhooks/deliveries.read-model';
import { webhookEndpointsReadModel } from '../../modules/webhooks/webhook-endpoints.read-model';

/**
 * An endpoint to which nothing was delivered for this long, while at least FAILURES_TO_DISABLE attempts failed, is
 * given up.
 */
export const SILENCE_TO_DISABLE_MS = 72 * HOUR_MS;
export const FAILURES_TO_DISABLE = 10;

/**
 * Whether the endpoint has failed for so long that it is to be disabled. The time runs anew when it is enabled, so an
 * endpoint that was mended and enabled is given its chance.
 */
export async function isGivenUp(readModels: ReadModels, mode: Mode, endpointId: string, now: number): Promise<boolean> {
  const endpoint = await readModels.get(webhookEndpointsReadModel, mode, endpointId);
  const since = now - SILENCE_TO_DISABLE_MS;
  if (endpoint?.body.status !== 'enabled' || parseIsoTime(endpoint.body.enabled_at) > since) return false;
  const attempts = (succeeded: boolean, limit: number) =>
    readModels.list(deliveriesReadModel, {
      index: 'by_success',
      equals: { endpoint: endpointId, succeeded },
      range: { from: isoTime(since) },
      limit,
    });
  const [delivered, failed] = await Promise.all([attempts(true, 1), attempts(false, FAILURES_TO_DISABLE)]);
  return delivered.length === 0 && failed.length >= FAILURES_TO_DISABLE;
}
