import type { Clock } from '../kernel/clock';
import type { Entropy } from '../kernel/entropy';
import type { LocalChain } from '../kernel/ports/local-chain';
import type { Log } from '../kernel/ports/log';
import { familyOf, type NetworkId } from '../vocabulary/networks';
import { SandboxChain } from './sandbox-chain';
import { SandboxPayer } from './sandbox-payer';
import { TronFacade } from './tron-facade';

type LocalNetworkParts = {
  readonly dataFolder: string;
  readonly network: NetworkId;
  readonly anvilPath: string | null;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
};

export type LocalNetwork = {
  /** The URL at which the chain answers as any provider of the network does. */
  readonly url: string;
  /** The hash of the chain's first block. */
  readonly genesisHash: string;
  /** The part that plays the payers. */
  readonly payer: LocalChain;
  /** Ends the parts between this process and the chain; the chain itself goes on. */
  readonly close: () => Promise<void>;
};

/** The network's local chain, started or found. Throws as SandboxChain.start does. */
export async function startLocalNetwork({ entropy, ...parts }: LocalNetworkParts): Promise<LocalNetwork> {
  const { network, clock, log } = parts;
  const chain = await SandboxChain.start(parts);
  const { rpcUrl, genesisHash } = chain;
  const payer = new SandboxPayer(chain, entropy);
  if (familyOf(network) === 'evm') return { url: rpcUrl, genesisHash, payer, close: () => Promise.resolve() };
  const facade = await TronFacade.start({ rpcUrl, clock, log });
  log.info({ network, url: facade.url }, 'local chain answers as a full node');
  return { url: facade.url, genesisHash, payer, close: () => facade.close() };
}
