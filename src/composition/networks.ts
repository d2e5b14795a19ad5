import type { Clock } from '../kernel/clock';
import type { Entropy } from '../kernel/entropy';
import type { Mode } from '../vocabulary/modes';
import type { Chain } from '../kernel/ports/chain';
import type { ChainBalances } from '../kernel/ports/chain-balances';
import type { ContractReader } from '../kernel/ports/contract-reader';
import type { ProviderStanding } from '../kernel/ports/provider-standing';
import type { Log } from '../kernel/ports/log';
import { familyOf, NETWORK_IDS, NETWORKS, type NetworkId } from '../vocabulary/networks';
import { EvmChain } from '../platform/chains/evm/evm-chain';
import { checkAtStart, tellIfAlone } from '../platform/chains/providers/start-check';
import { TronChain } from '../platform/chains/tron/tron-chain';
import { tronGridKey } from '../platform/chains/tron/tron-grid-key';
import { isLocalChain, isWatched, watchPolicyOf, type Config } from '../platform/config/config';
import type { LocalNetwork } from '../sandbox/local-network';
import type { Networks, WatchedNetwork } from './ports';

const RPC_TIMEOUT_MS = 10_000;

type Opening = { readonly config: Config; readonly clock: Clock; readonly entropy: Entropy; readonly log: Log };
type OpenedNetwork = Omit<WatchedNetwork, 'policy'>;

/**
 * The networks that this deployment watches: those with providers and, in test mode without one, a local chain.
 */
export async function openNetworks(core: Opening): Promise<Networks> {
  const { config } = core;
  const watched: WatchedNetwork[] = [];
  const locals: LocalNetwork[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(locals.splice(0).map(local => local.close()));
  };
  try {
    for (const mode of config.modes) {
      for (const network of NETWORK_IDS) {
        if (!isWatched(config, mode, network)) continue;
        const policy = watchPolicyOf(config, mode, network);
        const opened = isLocalChain(config, mode, network)
          ? await startSandbox(core, network, locals)
          : askProviders(core, network, mode);
        watched.push({ ...opened, policy });
      }
    }
    await Promise.all(watched.map(network => checkAtStart(network, core)));
    return { watched, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function askProviders(core: Opening, network: NetworkId, mode: Mode): OpenedNetwork {
  const urls = core.config.rpcUrls[network][mode];
  if (mode === 'live') tellIfAlone(network, urls, core.log);
  const chain = chainOf(core, network, mode, urls);
  return {
    mode,
    network,
    chain,
    contracts: chain,
    balances: chain.balances,
    standings: () => chain.standings,
    instance: String(NETWORKS[network].chainId[mode]),
  };
}

async function startSandbox(core: Opening, network: NetworkId, locals: LocalNetwork[]): Promise<OpenedNetwork> {
  const { config, clock, entropy, log } = core;
  const { dataFolder, anvilPath } = config;
  // No part of the local chains is loaded where none runs.
  const { startLocalNetwork } = await import('../sandbox/local-network.js');
  const started = await startLocalNetwork({ dataFolder, anvilPath, network, clock, entropy, log });
  locals.push(started);
  const { url, genesisHash: instance, payer: local } = started;
  const chain = chainOf(core, network, 'test', [url]);
  return {
    mode: 'test',
    network,
    chain,
    contracts: chain,
    balances: chain.balances,
    standings: () => chain.standings,
    instance,
    local,
  };
}

function chainOf(
  { config, clock, log }: Opening,
  network: NetworkId,
  mode: Mode,
  urls: readonly string[],
): Chain & ContractReader & { readonly balances: ChainBalances; readonly standings: readonly ProviderStanding[] } {
  const options = { mode, urls, timeoutMs: RPC_TIMEOUT_MS, clock, log };
  if (familyOf(network) === 'evm') return new EvmChain({ network, ...options });
  return new TronChain({ ...options, headersFor: tronGridKey(config.tronApiKey) });
}
