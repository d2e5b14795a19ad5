import { familyOf, NETWORKS, type NetworkId } from '../vocabulary/networks';
import { evmTwin } from '../platform/chains/tron/tron-address';

export type SandboxNetwork = NetworkId;

export type SandboxTraits = {
  /** The chain id of the network's testnet, so that no real wallet pays a local chain by mistake. */
  readonly chainId: number;
  /** The finalized block is two epochs behind the head. */
  readonly slotsInAnEpoch: number;
  /** Whether transactions need neither gas nor a key that the node knows. */
  readonly open: boolean;
  /** A contract with the right symbol and the wrong address: a well-known other token of the real network. */
  readonly lookalike: string;
};

const EVM = { slotsInAnEpoch: 1, open: false };

export const SANDBOX_NETWORKS: Readonly<Record<SandboxNetwork, SandboxTraits>> = {
  bnb: { ...EVM, chainId: NETWORKS.bnb.chainId.test, lookalike: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d' },
  base: { ...EVM, chainId: NETWORKS.base.chainId.test, lookalike: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA' },
  // A block is solid when 19 of 27 witnesses have built on it, 18 blocks later. Signatures are checked by the facade,
  // not by the node.
  tron: {
    chainId: NETWORKS.tron.chainId.test,
    slotsInAnEpoch: 9,
    open: true,
    lookalike: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
  },
};

/** The node's address of a contract of the network: on TRON, the same 20 bytes. */
export function nodeAddress(network: SandboxNetwork, address: string): string {
  return (familyOf(network) === 'tron' ? evmTwin(address) : null) ?? address;
}
