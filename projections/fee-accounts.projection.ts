import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import type { FeeAccountEvent } from '../src/modules/fees/fee-account.events';
import {
  feeAccountId,
  feeAccountsReadModel,
  NO_TOTALS,
  type CurrencyTotals,
  type FeeAccountDocument,
} from '../src/modules/fees/fee-accounts.read-model';
import type { FeeAccrued } from '../src/modules/fees/fee-accrual.events';

type Doc = FeeAccountDocument;

function counted(
  doc: Doc | null,
  { data, metadata }: RecordedEvent<FeeAccrued | FeeAccountEvent>,
  change: (totals: CurrencyTotals) => Partial<CurrencyTotals>,
): Doc {
  const { totals = {} } = doc ?? {};
  const before = totals[data.currency] ?? NO_TOTALS;
  return {
    merchant_id: metadata.merchant_id ?? '',
    mode: metadata.mode,
    totals: { ...totals, [data.currency]: { ...before, ...change(before) } },
  };
}

function plus(sum: string, amount: string): string {
  return (BigInt(sum) + BigInt(amount)).toString();
}

/** The log gives accruals in one order to every reader, so each sum says which accruals are in it. */
export const feeAccountsProjection: Projection<Doc, FeeAccrued | FeeAccountEvent> = {
  ...feeAccountsReadModel,
  categories: ['fee_accrual', 'fee_account'],
  mirrors: false,
  key: ({ stream, metadata }) => feeAccountId(parseStreamName(stream).universe, metadata.merchant_id ?? ''),
  on: {
    FeeAccrued: (doc, event) =>
      counted(doc, event, ({ accruals, accrued_minor_units }) => ({
        accruals: accruals + 1,
        accrued_minor_units: plus(accrued_minor_units, event.data.fee_minor_units),
      })),
    FeeAdjusted: (doc, event) =>
      counted(doc, event, ({ adjusted_minor_units }) => ({
        adjusted_minor_units: plus(adjusted_minor_units, event.data.amount_minor_units),
      })),
    FeeInvoiced: (doc, event) =>
      counted(doc, event, ({ invoiced_minor_units }) => ({
        invoiced_minor_units: plus(invoiced_minor_units, event.data.amount_minor_units),
      })),
  },
};
