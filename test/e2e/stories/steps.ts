import { RefusedError } from '../../../clients/typescript/src';
import { formatUnits } from '../../../src/vocabulary/money';
import type { QuotedPayment } from '../../support/merchant';

/** From the first sight of a transfer to the depth that it must have. */
export const ARRIVES = ['transfer_seen by watcher', 'confirming by watcher', 'deep_enough by watcher'] as const;
export const IS_CONFIRMED = [...ARRIVES, 'settled confirmed by watcher'] as const;
export const VIA = ['detected', 'confirming'] as const;

/**
 * That part of the amount due, in ten thousandths, as an amount that no payment asks for: one between two of the grid.
 */
export function partOfDue({ payment_method: method }: QuotedPayment, bps: bigint): string {
  const due = BigInt(method.token_amount_base_units);
  const part = (due * bps) / 10_000n;
  return formatUnits(part - (part % 10n) + 5n, method.token_decimals);
}

export function baseUnits(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** The code and the status with which the call is refused. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RefusedError) return `${error.status} ${error.code}`;
    throw error;
  }
  return 'not refused';
}
