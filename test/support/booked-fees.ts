import type { Core } from '../../src/composition/core';
import { operatorContext } from '../../src/cli/operator-context';
import { feeAccruals } from '../../src/modules/fees/fee-accrual.decider';
import { feeInvoices } from '../../src/modules/fees/fee-invoice.decider';
import type { Mode } from '../../src/vocabulary/modes';

export type BookedFees = {
  /** A payment with a fee of 12 cents. */
  readonly payment: string;
  readonly feeInvoice: string;
};

let booked = 0;

/**
 * A fee and a fee invoice of a merchant, as the events alone make them. The service never makes a fee invoice for test
 * mode; a test of lists asks for one there all the same.
 */
export async function bookFees({ writes, entropy, clock }: Core, mode: Mode, merchantId: string): Promise<BookedFees> {
  const number = String((booked += 1)).padStart(26, '0');
  const [payment, feeInvoice] = [`pi_${number}`, `finv_${number}`];
  const context = { ...operatorContext({ entropy, clock, user: 'alice' }), universe: mode, merchantId };
  const accrue = { type: 'accrue', currency: 'EUR', reckonedOnMinorUnits: 2_500n, bps: 50 } as const;
  await writes.execute(feeAccruals, payment, accrue, context);
  const facts = {
    number: 'FEE-C6W1P0RA-000001',
    currency: 'EUR',
    amount_minor_units: '12',
    due_at: '2026-12-25T12:00:00.000Z',
  };
  await writes.execute(feeInvoices, feeInvoice, { type: 'issue', facts }, context);
  return { payment, feeInvoice };
}
