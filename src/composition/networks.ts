import type { Clock } from '../kernel/clock';
import type { Entropy } from '../kernel/entropy';
import type { Mode } from '../kernel/event';
import type { Chain } from '../kernel/ports/chain';
import type { ContractReader } from '../kernel/ports/contract-reader';
import type { Log } from '../kernel/ports/log';
import { NETWORK_IDS, NETWORKS, type NetworkId } from '../kernel/tokens';
import { EvmChain } from '../platform/chains/evm/evm-chain';
import { SandboxChain } from '../platform/chains/sandbox/sandbox-chain';
import { SandboxPayer } from '../platform/chains/sandbox/sandbox-payer';
import { TronFacade } from '../platform/chains/sandbox/tron-facade';
import { checkAtStart, tellIfAlone } from '../platform/chains/providers/start-check';
import { TRON_CHAIN_IDS, TronChain } from '../platform/chains/tron/tron-chain';
import { tronGridKey } from '../platform/chains/tron/tron-grid-key';
import { isLocalChain, type Config } from '../platform/config/config';
import type { Networks, WatchedNetwork } from './ports';

const RPC_TIMEOUT_MS = 10_000;

type Opening = { readonly config: Config; readonly clock: Clock; readonly entropy: Entropy; readonly log: Log };

/**
 * The networks that this deployment watches: those with providers and, in test mode without one, a local sandbox chain.
 */
export async function openNetworks(core: Opening): Promise<Networks> {
  const { config, log } = core;
  const watched: WatchedNetwork[] = [];
  const facades: TronFacade[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(facades.splice(0).map(facade => facade.close()));
  };
  try {
    for (const mode of config.modes) {
      for (const network of NETWORK_IDS) {
        const urls = config.rpcUrls[network][mode];
        if (urls.length > 0) {
          const instance = String(chainIdOf(network, mode));
          if (mode === 'live') tellIfAlone(network, urls, log);
          const chain = chainOf(core, network, mode, urls);
          watched.push({ mode, network, chain, contracts: chain, instance, sandbox: false });
        } else if (isLocalChain(config, mode, network)) {
          watched.push(await startSandbox(core, network, facades));
        }
      }
    }
    await Promise.all(watched.map(network => checkAtStart(network, core)));
    return { watched, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startSandbox(core: Opening, network: NetworkId, facades: TronFacade[]): Promise<WatchedNetwork> {
  const { config, clock, entropy, log } = core;
  const { dataFolder, anvilPath } = config;
  const running = await SandboxChain.start({ dataFolder, network, clock, log, anvilPath });
  let url = running.rpcUrl;
  if (network === 'tron') {
    const facade = await TronFacade.start({ rpcUrl: running.rpcUrl, clock, log });
    facades.push(facade);
    url = facade.url;
    log.info({ network, url }, 'local chain answers as a full node');
  }
  const chain = chainOf(core, network, 'test', [url]);
  const local = new SandboxPayer(running, entropy);
  return { mode: 'test', network, chain, contracts: chain, instance: running.genesisHash, sandbox: true, local };
}

function chainOf(
  { config, clock, log }: Opening,
  network: NetworkId,
  mode: Mode,
  urls: readonly string[],
): Chain & ContractReader {
  const options = { mode, urls, timeoutMs: RPC_TIMEOUT_MS, clock, log };
  if (network !== 'tron') return new EvmChain({ network, ...options });
  return new TronChain({ ...options, headersFor: tronGridKey(config.tronApiKey) });
}

function chainIdOf(network: NetworkId, mode: Mode): number | undefined {
  return network === 'tron' ? TRON_CHAIN_IDS[mode] : NETWORKS[network].chainId?.[mode];
}
