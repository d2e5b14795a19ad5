import type { Mode } from './event';
import { formatUnits } from './money';

export const NETWORK_IDS = ['tron', 'bnb', 'base'] as const;
export type NetworkId = (typeof NETWORK_IDS)[number];

export const TOKEN_IDS = ['usdt-tron', 'usdt-bnb', 'usdc-base'] as const;
export type TokenId = (typeof TOKEN_IDS)[number];

/** How a network's nodes are asked, and how its addresses, hashes and signatures are written. */
export type NetworkFamily = 'evm' | 'tron';

type FamilyTraits =
  | { readonly family: 'evm'; /** By EIP-155. */ readonly chainId: Readonly<Record<Mode, number>> }
  /** TRON's pay URI has no chain id. */
  | { readonly family: 'tron'; readonly chainId: null };

export type Network = FamilyTraits & {
  readonly id: NetworkId;
  readonly name: string;
  /** When a transfer counts, by the size of its quote. */
  readonly finality: Readonly<Record<Mode, Readonly<Record<FinalityTier, FinalityRule>>>>;
  /**
   * How many blocks a vanished transaction may take to come back before it is gone, counted from when it was missed.
   */
  readonly reinclusionBlocks: number;
  /** The same while the network has not finalized a block since. */
  readonly reinclusionBlocksUnfinalized: number;
};

export type FinalityTier = 'standard' | 'large';

/** What must hold of a block before a transfer in it counts. */
export type FinalityRule = {
  /** The head's height minus the block's. */
  readonly confirmations: number;
  /** Whether the block must be one that the network calls final. */
  readonly finalized: boolean;
  /** Confirmations that stand in for that where the network has stopped finalizing; null: nothing does. */
  readonly confirmationsUnfinalized: number | null;
  /** Whether a second provider must have the same receipt. */
  readonly secondReceipt: boolean;
};

const TRON_STANDARD = { confirmations: 19, finalized: true, confirmationsUnfinalized: null, secondReceipt: false };
const BNB_STANDARD = { confirmations: 15, finalized: true, confirmationsUnfinalized: 240, secondReceipt: false };
const BASE_TEST = { confirmations: 12, finalized: false, confirmationsUnfinalized: null, secondReceipt: false };

/**
 * Depths: nodes' finality rules and what exchanges ask for; see docs/numbers.md. In test mode size makes no
 * difference.
 */
export const NETWORKS: Readonly<Record<NetworkId, Network>> = {
  tron: {
    id: 'tron',
    name: 'TRON',
    family: 'tron',
    chainId: null,
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
    reinclusionBlocks: 30,
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

export type Token = {
  readonly id: TokenId;
  readonly asset: 'USDT' | 'USDC';
  readonly network: NetworkId;
  /** Decimals of the approved contract, read from the contract itself at start and compared. */
  readonly decimals: number;
  readonly contract: Readonly<Record<Mode, string>>;
  /**
   * Grid of reservable amounts; always more than twice the attribution tolerance, so no amount fits two reservations.
   */
  readonly stepBaseUnits: bigint;
  /**
   * How far a received amount may be off a reserved one and still be the same: wallets that compute in floats are off
   * by this.
   */
  readonly attributionToleranceBaseUnits: bigint;
  /** A payment that quotes below this is eaten by the network's fee. */
  readonly floorBaseUnits: bigint;
};

/**
 * The only tokens that are ever matched, by contract, never by symbol. Testnet contracts: Nile, BNB testnet 97, Base
 * Sepolia.
 */
export const TOKENS: Readonly<Record<TokenId, Token>> = {
  'usdt-tron': {
    id: 'usdt-tron',
    asset: 'USDT',
    network: 'tron',
    decimals: 6,
    contract: { live: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', test: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' },
    stepBaseUnits: 10n,
    attributionToleranceBaseUnits: 4n,
    floorBaseUnits: 1_000_000n,
  },
  'usdt-bnb': {
    id: 'usdt-bnb',
    asset: 'USDT',
    network: 'bnb',
    decimals: 18,
    contract: {
      live: '0x55d398326f99059fF775485246999027B3197955',
      test: '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd',
    },
    stepBaseUnits: 10n ** 12n,
    attributionToleranceBaseUnits: 4n * 10n ** 11n,
    floorBaseUnits: 10n ** 17n,
  },
  'usdc-base': {
    id: 'usdc-base',
    asset: 'USDC',
    network: 'base',
    decimals: 6,
    contract: {
      live: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      test: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    },
    stepBaseUnits: 10n,
    attributionToleranceBaseUnits: 4n,
    floorBaseUnits: 20_000n,
  },
};

export function isTokenId(text: string): text is TokenId {
  return (TOKEN_IDS as readonly string[]).includes(text);
}

export function isNetworkId(text: string): text is NetworkId {
  return (NETWORK_IDS as readonly string[]).includes(text);
}

/** The one approved token of an (asset, network) pair, or null. */
export function tokenOfPair(asset: string, network: string): Token | null {
  return Object.values(TOKENS).find(token => token.asset === asset && token.network === network) ?? null;
}

/** Fraction digits below which trailing zeros are kept, so that a payer compares like with like. */
const SHOWN_DECIMALS = 6;

/** A token amount as every answer shows it: a plain decimal in whole tokens. */
export function formatTokenAmount(token: Pick<Token, 'decimals'>, baseUnits: bigint | string): string {
  return formatUnits(BigInt(baseUnits), token.decimals, SHOWN_DECIMALS);
}
