import { refuse, type ErrorCode } from './errors';
import type { Mode } from './modes';
import { formatUnits } from './money';
import type { NetworkId } from './networks';

export const TOKEN_IDS = ['usdt-tron', 'usdt-bnb', 'usdc-base'] as const;
export type TokenId = (typeof TOKEN_IDS)[number];

export const ASSETS = ['USDT', 'USDC'] as const;
export type Asset = (typeof ASSETS)[number];

export type Token = {
  readonly id: TokenId;
  readonly asset: Asset;
  readonly network: NetworkId;
  /** Decimals of the approved contract, read from the contract itself at start and compared. */
  readonly decimals: number;
  readonly contract: Readonly<Record<Mode, string>>;
  /**
   * Grid of reservable amounts; always more than twice the attribution tolerance, so no amount fits two reservations.
   */
  readonly stepBaseUnits: bigint;
  /**
   * The distance by which a received amount may miss a reserved one and still match. Wallets that compute in floats
   * miss by this much.
   */
  readonly attributionToleranceBaseUnits: bigint;
  /** The network's fee would eat a payment that quotes below this. */
  readonly floorBaseUnits: bigint;
};

/** The token with a grid that tells amounts apart. Throws Refusal invalid_step or invalid_spacing. */
export function onGrid(token: Token): Token {
  if (token.stepBaseUnits <= 0n) throw refuse('invalid_step');
  if (token.stepBaseUnits < 2n * token.attributionToleranceBaseUnits) throw refuse('invalid_spacing');
  return token;
}

/**
 * The only tokens that are ever matched, by contract, never by symbol. Testnet contracts: Nile, BNB testnet 97, Base
 * Sepolia.
 */
export const TOKENS: Readonly<Record<TokenId, Token>> = {
  'usdt-tron': onGrid({
    id: 'usdt-tron',
    asset: 'USDT',
    network: 'tron',
    decimals: 6,
    contract: { live: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', test: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' },
    stepBaseUnits: 10n,
    attributionToleranceBaseUnits: 4n,
    floorBaseUnits: 1_000_000n,
  }),
  'usdt-bnb': onGrid({
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
  }),
  'usdc-base': onGrid({
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
  }),
};

export function isTokenId(text: string): text is TokenId {
  return (TOKEN_IDS as readonly string[]).includes(text);
}

/** Every code that `tokenIdRefusal` gives. */
export const TOKEN_ID_REFUSALS = ['asset_token_mismatch', 'unknown_token'] as const satisfies readonly ErrorCode[];

/** The code for a text that is no token id. An asset symbol has a code of its own, since its network is missing. */
export function tokenIdRefusal(text: unknown): ErrorCode {
  return (ASSETS as readonly unknown[]).includes(text) ? 'asset_token_mismatch' : 'unknown_token';
}

/** The one approved token of an (asset, network) pair, or null. */
export function tokenOfPair(asset: string, network: string): Token | null {
  return Object.values(TOKENS).find(token => token.asset === asset && token.network === network) ?? null;
}

/**
 * The one approved contract of the token's asset on its network. Throws Refusal invalid_token_contract for a token with
 * another one, such as a bridged or look-alike token.
 */
export function approvedContract({ asset, network, contract }: Token, mode: Mode): string {
  if (tokenOfPair(asset, network)?.contract[mode] !== contract[mode]) throw refuse('invalid_token_contract');
  return contract[mode];
}

/** Fraction digits below which trailing zeros are kept, so that a payer compares like with like. */
const SHOWN_DECIMALS = 6;

/** A token amount as every answer shows it: a plain decimal in whole tokens. */
export function formatTokenAmount(token: Pick<Token, 'decimals'>, baseUnits: bigint | string): string {
  return formatUnits(BigInt(baseUnits), token.decimals, SHOWN_DECIMALS);
}
