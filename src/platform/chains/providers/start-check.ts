import { isDoneWithin, SECOND_MS, type Clock } from '../../../kernel/clock';
import { isRefusal } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import type { Chain } from '../../../kernel/ports/chain';
import type { Log } from '../../../kernel/ports/log';
import type { NetworkId } from '../../../vocabulary/networks';
import { witnessOf } from './witness';

/** The start waits for providers for so long; a provider that answers later is judged before it counts. */
const START_PATIENCE_MS = 3 * SECOND_MS;

/** Two endpoints of one host are one provider. */
export function tellIfAlone(network: NetworkId, urls: readonly string[], log: Log): void {
  const hosts = [...new Set(urls.map(witnessOf))];
  if (hosts.length > 1) return;
  const given = 'no second one is asked for block hashes, receipts or missed transfers';
  log.warn({ mode: 'live', network, provider: hosts[0] }, `one chain provider alone confirms payments: ${given}`);
}

/**
 * A provider that does not answer, or gives no readable answer, is asked again by its watcher. The other networks do
 * not wait for that provider. A provider that serves another chain or token stops the start.
 */
export async function checkAtStart(
  { chain, mode, network }: { readonly chain: Chain; readonly mode: Mode; readonly network: NetworkId },
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  let isWaitedFor = true;
  const check = chain.check().catch((error: unknown) => {
    const isAway = isRefusal(error, 'provider_unavailable') || isRefusal(error, 'provider_response_invalid');
    if (isWaitedFor && !isAway) throw error;
    log[isAway ? 'warn' : 'error']({ mode, network, err: error }, 'provider is not fit at start');
  });
  isWaitedFor = await isDoneWithin(clock, START_PATIENCE_MS, check);
  if (!isWaitedFor) log.warn({ mode, network }, 'provider does not answer at start');
}
