import { isRefusal } from './kernel/errors';
import type { Mode } from './kernel/event';
import type { Chain } from './kernel/ports/chain';
import { NETWORKS } from './kernel/tokens';
import type { Core } from './core';
import { EvmChain } from './platform/chains/evm/evm-chain';
import { SandboxChain } from './platform/chains/sandbox/sandbox-chain';

const RPC_TIMEOUT_MS = 10_000;

export type WatchedNetwork = {
  readonly mode: Mode;
  readonly network: 'bnb' | 'base';
  readonly chain: Chain;
  /** Tells this chain from another of the same network: its chain id, or a sandbox chain's genesis hash. */
  readonly instance: string;
  readonly sandbox: boolean;
};

/** The networks that this deployment watches: those with providers and, in test mode without one, a local sandbox chain. */
export async function openNetworks({ config, clock, log }: Core): Promise<readonly WatchedNetwork[]> {
  const opened: WatchedNetwork[] = [];
  for (const mode of config.modes) {
    for (const network of ['bnb', 'base'] as const) {
      const urls = config.rpcUrls[network][mode];
      if (urls.length > 0) {
        const chain = new EvmChain({ network, mode, urls, timeoutMs: RPC_TIMEOUT_MS, log });
        opened.push({ mode, network, chain, instance: String(NETWORKS[network].chainId?.[mode]), sandbox: false });
      } else if (mode === 'test' && config.sandboxChains) {
        const { dataFolder, anvilPath } = config;
        const local = await SandboxChain.start({ dataFolder, network, clock, log, anvilPath });
        const chain = new EvmChain({ network, mode, urls: [local.rpcUrl], timeoutMs: RPC_TIMEOUT_MS, log });
        opened.push({ mode, network, chain, instance: local.genesisHash, sandbox: true });
      }
    }
  }
  await Promise.all(opened.map(network => checkAtStart(network, log)));
  return opened;
}

/** A provider that does not answer is asked again by its watcher; one that serves another chain or token stops the start. */
async function checkAtStart({ chain, mode, network }: WatchedNetwork, log: Core['log']): Promise<void> {
  try {
    await chain.check();
  } catch (error) {
    if (!isRefusal(error, 'provider_unavailable')) throw error;
    log.warn({ mode, network, err: error }, 'provider does not answer at start');
  }
}
