import type { Mode } from './modes';

export const NETWORK_IDS = ['tron', 'bnb', 'base'] as const;
export type NetworkId = (typeof NETWORK_IDS)[number];

/**
 * The sight of a payment that is made on a network now. `none`: no process has watched the network. `late`: its scan is
 * more than five minutes behind, or stands still.
 */
export type NetworkSight = 'none' | 'late' | 'in_time';

/** The form of a network's questions to nodes, and of its addresses, hashes and signatures. */
export type NetworkFamily = 'evm' | 'tron';

export type Network = {
  readonly id: NetworkId;
  readonly name: string;
  readonly family: NetworkFamily;
  /** The chain id of EIP-155. TRON's is the end of the first block's id: mainnet in live mode, Nile in test mode. */
  readonly chainId: Readonly<Record<Mode, number>>;
  /** The rule by which a transfer counts, by the size of its quote. */
  readonly finality: Readonly<Record<Mode, Readonly<Record<FinalityTier, FinalityRule>>>>;
  /**
   * The number of blocks in which a vanished transaction may come back, counted from when it was missed. After them it
   * is gone.
   */
  readonly reinclusionBlocks: number;
  /** The same while the network has not finalized a block since. */
  readonly reinclusionBlocksUnfinalized: number;
};

export type FinalityTier = 'standard' | 'large';

/** The demands on a block before a transfer in it counts. */
export type FinalityRule = {
  /** The head's height minus the block's. */
  readonly confirmations: number;
  /** Whether the network must call the block final. */
  readonly finalized: boolean;
  /** Confirmations that stand in for finality where the network has stopped finalizing; null: no number does. */
  readonly confirmationsUnfinalized: number | null;
  /** Whether a second provider must have the same receipt. */
  readonly secondReceipt: boolean;
};

const TRON_STANDARD = { confirmations: 19, finalized: true, confirmationsUnfinalized: null, secondReceipt: false };
const BNB_STANDARD = { confirmations: 15, finalized: true, confirmationsUnfinalized: 240, secondReceipt: false };
const BASE_TEST = { confirmations: 12, finalized: false, confirmationsUnfinalized: null, secondReceipt: false };

/**
 * Depths follow nodes' finality rules and exchanges' practice; see docs/numbers.md. In test mode size makes no
 * difference.
 */
export const NETWORKS: Readonly<Record<NetworkId, Network>> = {
  tron: {
    id: 'tron',
    name: 'TRON',
    family: 'tron',
    chainId: { live: 0x2b6653dc, test: 0xcd8690dc },
    finality: {
      live: {
        standard: TRON_STANDARD,
        large: { confirmations: 27, finalized: true, confirmationsUnfinalized: null, secondReceipt: true },
      },
      test: { standard: TRON_STANDARD, large: TRON_STANDARD },
    },
    reinclusionBlocks: 30,
    reinclusionBlocksUnfinalized: 30,
  },
  bnb: {
    id: 'bnb',
    name: 'BNB Smart Chain',
    family: 'evm',
    chainId: { live: 56, test: 97 },
    finality: {
      live: {
        standard: BNB_STANDARD,
        large: { confirmations: 240, finalized: true, confirmationsUnfinalized: null, secondReceipt: true },
      },
      test: { standard: BNB_STANDARD, large: BNB_STANDARD },
    },
    // Two thirds of the validators have taken part in so many blocks: 30 would be over in 14 seconds.
    reinclusionBlocks: 240,
    reinclusionBlocksUnfinalized: 240,
  },
  base: {
    id: 'base',
    name: 'Base',
    family: 'evm',
    chainId: { live: 8453, test: 84532 },
    finality: {
      live: {
        standard: { confirmations: 20, finalized: false, confirmationsUnfinalized: null, secondReceipt: false },
        large: { confirmations: 20, finalized: true, confirmationsUnfinalized: null, secondReceipt: true },
      },
      test: { standard: BASE_TEST, large: BASE_TEST },
    },
    reinclusionBlocks: 60,
    reinclusionBlocksUnfinalized: 60,
  },
};

export function familyOf(network: NetworkId): NetworkFamily {
  return NETWORKS[network].family;
}

export function networksOf(family: NetworkFamily): readonly NetworkId[] {
  return NETWORK_IDS.filter(network => familyOf(network) === family);
}

export function isNetworkId(text: string): text is NetworkId {
  return (NETWORK_IDS as readonly string[]).includes(text);
}
