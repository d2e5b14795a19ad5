import { floorDiv } from '../../vocabulary/money';

/** Basis points of the amount, for a merchant without a rate of its own. */
export const DEFAULT_FEE_BPS = 50;
/** A fee is the tenth part at most. The limit keeps a slip of the hand from taking all of a payment. */
export const MAX_FEE_BPS = 1_000;
const WHOLE_BPS = 10_000n;

/** Whole minor units, rounded down, and at least one. A rate of 0 asks for nothing. */
export function feeOf(amountMinorUnits: bigint, bps: number): bigint {
  if (bps === 0) return 0n;
  const share = floorDiv(amountMinorUnits * BigInt(bps), WHOLE_BPS);
  return share > 1n ? share : 1n;
}

type FeeSums = { readonly adjusted_minor_units: string; readonly invoiced_minor_units: string };

/** The fees that no fee invoice has asked for, in minor units; below zero where adjustments gave back more. */
export function outstandingFees(accruedMinorUnits: bigint, sums: FeeSums): bigint {
  return accruedMinorUnits + BigInt(sums.adjusted_minor_units) - BigInt(sums.invoiced_minor_units);
}
