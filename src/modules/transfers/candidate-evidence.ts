import { wholeUnit } from '../../vocabulary/money';
import type { Token } from '../../vocabulary/tokens';
import type { AmountEvidence } from './transfer.events';

/** A transfer that met no reservation. */
export type UnmatchedFacts = {
  readonly transferId: string;
  readonly from: string;
  readonly valueBaseUnits: bigint;
  /** The moment at which a reservation would have had to be open. */
  readonly paidAtMs: number;
};

/** A way in which the transfer's value may follow from the amount asked for, and the value's probability then. */
type Explanation = { readonly evidence: AmountEvidence; readonly probability: number };

/** Common fees of exchanges for a withdrawal of these tokens, in hundredths of a token, by their published tables. */
const WITHDRAWAL_FEES_HUNDREDTHS = [10, 15, 20, 29, 30, 50, 80, 100, 120, 150, 200, 250, 300, 400, 500];
/** Decimals that forms and wallets cut an amount to. */
const SHOWN_DECIMALS = [2, 0, 1, 4, 3];
const LARGEST_DEDUCTION_TOKENS = 5n;
const LARGEST_DEDUCTION_PERCENT = 2n;

/** The share of each mistake among all mistakes. */
const SHARE = {
  exact: 0.2,
  rounded: 0.25,
  fee: 0.15,
  feeRounded: 0.04,
  parts: 0.1,
  fiat: 0.1,
  transposed: 0.08,
  near: 0.08,
};

/** The explanation that makes the value likeliest; null where only chance connects the two. */
export function bestExplanation(
  token: Token,
  unmatched: UnmatchedFacts,
  asked: bigint,
  fiat: bigint | null,
  siblings: readonly UnmatchedFacts[],
): Explanation | null {
  const value = unmatched.valueBaseUnits;
  const off = value > asked ? value - asked : asked - value;
  // Roundings, fees and small differences stay within a few tokens. Most payments are far from that, and a ranking
  // weighs hundreds.
  const near = off > furthestOff(token, asked) ? [] : [exactly, rounded, lessFee, nearly];
  const found = [
    ...near.map(explain => explain(token, value, asked)),
    inParts(token, unmatched, asked, siblings),
    fiat === null ? null : asFiat(token, value, fiat),
    transposed(token, value, asked),
  ].filter(explanation => explanation !== null);
  return found.reduce<Explanation | null>(
    (best, each) => (best === null || each.probability > best.probability ? each : best),
    null,
  );
}

function exactly(token: Token, value: bigint, asked: bigint): Explanation | null {
  return isSame(token, value, asked) ? { evidence: { code: 'exact' }, probability: SHARE.exact } : null;
}

function rounded(token: Token, value: bigint, asked: bigint): Explanation | null {
  const decimals = SHOWN_DECIMALS.find(shown => roundings(token, asked, shown).includes(value));
  if (decimals === undefined || isSame(token, value, asked)) return null;
  const rank = SHOWN_DECIMALS.indexOf(decimals) + 1;
  return { evidence: { code: 'rounded', decimals }, probability: SHARE.rounded / rank };
}

function lessFee(token: Token, value: bigint, asked: bigint): Explanation | null {
  for (const hundredths of WITHDRAWAL_FEES_HUNDREDTHS) {
    const fee = feeOf(token, hundredths);
    const left = asked - fee;
    if (left <= 0n) continue;
    const evidence = { code: 'withdrawal_fee', fee_base_units: fee.toString(), is_rounded: false } as const;
    const share = 1 / WITHDRAWAL_FEES_HUNDREDTHS.length;
    if (isSame(token, value, left)) return { evidence, probability: SHARE.fee * share };
    const isRounded = roundings(token, left, 2).includes(value);
    if (isRounded) return { evidence: { ...evidence, is_rounded: true }, probability: SHARE.feeRounded * share };
  }
  return null;
}

function inParts(
  token: Token,
  unmatched: UnmatchedFacts,
  asked: bigint,
  siblings: readonly UnmatchedFacts[],
): Explanation | null {
  const completing = siblings.filter(({ valueBaseUnits }) => {
    return isSame(token, valueBaseUnits + unmatched.valueBaseUnits, asked);
  });
  const other = completing.find(({ from }) => from === unmatched.from) ?? completing[0];
  if (!other) return null;
  const isSameSender = other.from === unmatched.from;
  return {
    evidence: { code: 'in_parts', other_transfer: other.transferId, is_same_sender: isSameSender },
    probability: SHARE.parts * (isSameSender ? 1 : 0.3),
  };
}

function asFiat(token: Token, value: bigint, fiat: bigint): Explanation | null {
  return isSame(token, value, fiat) ? { evidence: { code: 'fiat_figure' }, probability: SHARE.fiat } : null;
}

function transposed(token: Token, value: bigint, asked: bigint): Explanation | null {
  // Swapped digits keep their sum, and so the remainder by nine.
  if ((value - asked) % 9n !== 0n) return null;
  const forms = transpositions(token, asked);
  return forms.includes(value)
    ? { evidence: { code: 'digits_swapped' }, probability: SHARE.transposed / forms.length }
    : null;
}

/** Explains any small difference: a smaller one is likelier, and too much is rarer than too little. */
function nearly(token: Token, value: bigint, asked: bigint): Explanation | null {
  const off = value > asked ? value - asked : asked - value;
  const furthest = furthestOff(token, asked);
  const choices = Number((2n * furthest) / (2n * token.attributionToleranceBaseUnits + 1n)) + 1;
  const nearness = 2 ** ((-8 * Number((off * 1_000n) / furthest)) / 1_000);
  const less = value < asked;
  return {
    evidence: { code: less ? 'short' : 'over', off_base_units: off.toString() },
    probability: ((SHARE.near * nearness * 8) / choices) * (less ? 1 : 0.4),
  };
}

/** The greatest distance from the amount asked for at which a value may still be meant for it. */
export function furthestOff(token: Token, asked: bigint): bigint {
  const flat = LARGEST_DEDUCTION_TOKENS * wholeUnit(token.decimals);
  const share = (asked * LARGEST_DEDUCTION_PERCENT) / 100n;
  return flat > share ? flat : share;
}

/** Amounts from which a common fee leaves this value. */
export function beforeFees(token: Token, value: bigint): readonly bigint[] {
  return WITHDRAWAL_FEES_HUNDREDTHS.map(hundredths => value + feeOf(token, hundredths));
}

/**
 * Each amount that becomes this one when two neighbouring digits are swapped, to as many decimals as the token's grid
 * has.
 */
export function transpositions(token: Token, baseUnits: bigint): readonly bigint[] {
  const grain = wholeUnit(token.decimals) / 10n ** BigInt(gridDecimals(token));
  const digits = String(baseUnits / grain);
  const swapped = new Set<bigint>();
  for (let place = 0; place + 1 < digits.length; place++) {
    const [left = '', right = ''] = [digits[place], digits[place + 1]];
    if (left === right || (place === 0 && right === '0')) continue;
    swapped.add(BigInt(digits.slice(0, place) + right + left + digits.slice(place + 2)) * grain);
  }
  return [...swapped];
}

function isSame(token: Token, one: bigint, other: bigint): boolean {
  const off = one > other ? one - other : other - one;
  return off <= token.attributionToleranceBaseUnits;
}

/** The amount cut, rounded and rounded up to so many decimals. */
function roundings(token: Token, baseUnits: bigint, decimals: number): readonly bigint[] {
  const grain = wholeUnit(token.decimals) / 10n ** BigInt(decimals);
  const cut = (baseUnits / grain) * grain;
  return [cut, cut + grain];
}

function gridDecimals(token: Token): number {
  return token.decimals - String(token.stepBaseUnits).length + 1;
}

function feeOf(token: Token, hundredths: number): bigint {
  return (wholeUnit(token.decimals) / 100n) * BigInt(hundredths);
}
