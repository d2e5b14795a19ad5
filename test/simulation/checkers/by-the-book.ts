import type { Mode } from '../../../src/vocabulary/modes';
import type { TokenId } from '../../../src/vocabulary/tokens';
import type { NetworkId } from '../../../src/vocabulary/networks';

/**
 * The numbers of the specification and of the documentation's tables, written down here once more: a checker takes none
 * of the code's own.
 */

export type Rule = {
  readonly confirmations: number;
  readonly finalized: boolean;
  /** Confirmations that stand in for finality; null where nothing does. */
  readonly unfinalized: number | null;
  readonly secondReceipt: boolean;
};
export type Tier = 'standard' | 'large';

const TRON: Rule = { confirmations: 19, finalized: true, unfinalized: null, secondReceipt: false };
const BNB: Rule = { confirmations: 15, finalized: true, unfinalized: 240, secondReceipt: false };
const BASE: Rule = { confirmations: 20, finalized: false, unfinalized: null, secondReceipt: false };
const BASE_IN_TEST: Rule = { ...BASE, confirmations: 12 };
const LARGE = { finalized: true, unfinalized: null, secondReceipt: true } as const;

const RULES: Readonly<Record<Mode, Readonly<Record<NetworkId, Readonly<Record<Tier, Rule>>>>>> = {
  live: {
    tron: { standard: TRON, large: { ...LARGE, confirmations: 27 } },
    bnb: { standard: BNB, large: { ...LARGE, confirmations: 240 } },
    base: { standard: BASE, large: { ...LARGE, confirmations: 20 } },
  },
  test: {
    tron: { standard: TRON, large: TRON },
    bnb: { standard: BNB, large: BNB },
    base: { standard: BASE_IN_TEST, large: BASE_IN_TEST },
  },
};

export function ruleOf(mode: Mode, network: NetworkId, tier: Tier): Rule {
  return RULES[mode][network][tier];
}

export type TokenFacts = {
  readonly decimals: number;
  /** Distance of two amounts that can be reserved. */
  readonly step: bigint;
  /** The amount that a wallet may round away. */
  readonly tolerance: bigint;
};

const SIX: TokenFacts = { decimals: 6, step: 10n, tolerance: 4n };

export const TOKEN_FACTS: Readonly<Record<TokenId, TokenFacts>> = {
  'usdt-tron': SIX,
  'usdc-base': SIX,
  'usdt-bnb': { decimals: 18, step: 10n ** 12n, tolerance: 4n * 10n ** 11n },
};

const MINOR_DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };
/** From ten thousand dollars on a quote is large. */
const LARGE_DOLLARS = 10_000n;

/**
 * The cost of an amount: the fiat amount times the rate in token units, rounded up. `rate` is a fraction: token units
 * by one major unit.
 */
export function priceOf(minorUnits: bigint, currency: string, rate: Fraction, { decimals }: TokenFacts): bigint {
  const minor = 10n ** BigInt(MINOR_DIGITS[currency] as number);
  return up(minorUnits * rate.over * 10n ** BigInt(decimals), minor * rate.under);
}

export function tierOf(priceBaseUnits: bigint, dollarRate: Fraction, { decimals }: TokenFacts): Tier {
  const isLarge = priceBaseUnits >= up(LARGE_DOLLARS * dollarRate.over * 10n ** BigInt(decimals), dollarRate.under);
  return isLarge ? 'large' : 'standard';
}

/**
 * Whether an amount may be asked for at a price. The amount must be on the grid, at least the tolerance above the
 * price, and inside the window above it.
 */
export function isInWindow(amount: bigint, price: bigint, { decimals, step, tolerance }: TokenFacts): boolean {
  const whole = 10n ** BigInt(decimals);
  const share = (price * 5n) / 10_000n;
  const window = share < whole / 100n ? whole / 100n : share > whole ? whole : share;
  return amount % step === 0n && amount - tolerance >= price && amount - price < window;
}

export type Fraction = { readonly over: bigint; readonly under: bigint };

function up(over: bigint, under: bigint): bigint {
  return (over + under - 1n) / under;
}
