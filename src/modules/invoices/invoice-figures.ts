import { refuse } from '../../vocabulary/errors';
import type { InvoiceFigures, InvoiceLine } from './invoice.events';

/** Basis points of the whole: 100% are so many. */
export const WHOLE_BPS = 10_000;
export const MAX_QUANTITY = 1_000_000;
export const MAX_LINES = 100;
/** Amounts of the API have at most so many digits. */
const MAX_DIGITS = 30;

export type OrderedLine = {
  readonly description: string;
  /** A whole number from 1 to 1,000,000. */
  readonly quantity: number;
  readonly unitAmountMinorUnits: bigint;
  readonly discountBps: number;
  readonly taxBps: number;
};

/** The share of an amount that is not negative, rounded half up to the minor unit. */
function share(amount: bigint, bps: number): bigint {
  const whole = BigInt(WHOLE_BPS);
  return (2n * amount * BigInt(bps) + whole) / (2n * whole);
}

/** Each line is rounded by itself, so that the printed lines add up to the printed sums. */
function figuredLine({ description, quantity, unitAmountMinorUnits, discountBps, taxBps }: OrderedLine) {
  const subtotal = BigInt(quantity) * unitAmountMinorUnits;
  const discount = share(subtotal, discountBps);
  const tax = share(subtotal - discount, taxBps);
  return {
    description,
    quantity,
    unit_amount_minor_units: unitAmountMinorUnits.toString(),
    discount_bps: discountBps,
    tax_bps: taxBps,
    subtotal_minor_units: subtotal.toString(),
    discount_minor_units: discount.toString(),
    tax_minor_units: tax.toString(),
    amount_minor_units: (subtotal - discount + tax).toString(),
  } satisfies InvoiceLine;
}

/** Throws Refusal amount_too_small where nothing is to be paid, and amount_too_large beyond 30 digits. */
export function figuresOfLines(ordered: readonly OrderedLine[]): InvoiceFigures {
  const lines = ordered.map(figuredLine);
  const sum = (field: 'subtotal' | 'discount' | 'tax' | 'amount') =>
    lines.reduce((total, line) => total + BigInt(line[`${field}_minor_units`]), 0n).toString();
  const amount = sum('amount');
  if (amount === '0') throw refuse('amount_too_small', { param: 'lines', message: 'The lines add up to nothing.' });
  if (sum('subtotal').length > MAX_DIGITS || amount.length > MAX_DIGITS)
    throw refuse('amount_too_large', { param: 'lines' });
  return {
    lines,
    subtotal_minor_units: sum('subtotal'),
    discount_minor_units: sum('discount'),
    tax_minor_units: sum('tax'),
    amount_minor_units: amount,
  };
}

/** The figures of an invoice without lines. */
export function figuresOfAmount(amountMinorUnits: bigint): InvoiceFigures {
  const amount = amountMinorUnits.toString();
  return {
    lines: [],
    subtotal_minor_units: amount,
    discount_minor_units: '0',
    tax_minor_units: '0',
    amount_minor_units: amount,
  };
}
