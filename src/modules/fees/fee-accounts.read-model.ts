import type { ReadModel } from '../../kernel/ports/read-models';
import type { Universe } from '../../vocabulary/modes';
import { outstandingFees } from './fee-schedule';

/** Sums since the account's beginning, in minor units. The accruals stand in the order of the log. */
export type CurrencyTotals = {
  readonly accruals: number;
  readonly accrued_minor_units: string;
  readonly adjusted_minor_units: string;
  readonly invoiced_minor_units: string;
};

export type FeeAccountDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly totals: Readonly<Record<string, CurrencyTotals>>;
};

/** One document for each merchant and mode. */
export const feeAccountsReadModel: ReadModel<FeeAccountDocument> = {
  name: 'fee_accounts',
  version: 1,
  indexes: { by_mode: ['mode', 'merchant_id', 'id'] },
};

export function feeAccountId(mode: Universe, merchantId: string): string {
  return `${mode}/${merchantId}`;
}

export const NO_TOTALS: CurrencyTotals = {
  accruals: 0,
  accrued_minor_units: '0',
  adjusted_minor_units: '0',
  invoiced_minor_units: '0',
};

/** The fees that no fee invoice covers, by currency in the order of the alphabet; a currency with none is left out. */
export function outstandingByCurrency(
  document: Pick<FeeAccountDocument, 'totals'> | undefined,
): readonly { readonly currency: string; readonly amountMinorUnits: bigint }[] {
  return Object.entries(document?.totals ?? {})
    .map(([currency, totals]) => ({
      currency,
      amountMinorUnits: outstandingFees(BigInt(totals.accrued_minor_units), totals),
    }))
    .filter(({ amountMinorUnits }) => amountMinorUnits !== 0n)
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}
