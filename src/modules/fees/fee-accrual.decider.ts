import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { FeeAccrued } from './fee-accrual.events';
import { feeOf } from './fee-schedule';

/** Null until the fee has accrued. */
type FeeAccrual = FeeAccrued['data'] | null;

type AccrueFee = {
  readonly type: 'accrue';
  readonly currency: string;
  readonly reckonedOnMinorUnits: bigint;
  readonly bps: number;
};

/** Throws Refusal fee_already_accrued: an adjustment corrects a wrong accrual. */
function decide({ currency, reckonedOnMinorUnits, bps }: AccrueFee, state: FeeAccrual): readonly FeeAccrued[] {
  if (state !== null) throw refuse('fee_already_accrued');
  const data = {
    currency,
    reckoned_on_minor_units: reckonedOnMinorUnits.toString(),
    fee_bps: bps,
    fee_minor_units: feeOf(reckonedOnMinorUnits, bps).toString(),
  };
  return [{ type: 'FeeAccrued', data }];
}

/** The stream's id is the payment's. */
export const feeAccruals: Aggregate<FeeAccrual, AccrueFee, FeeAccrued> = {
  category: 'fee_accrual',
  notFound: 'payment_not_found',
  initial: null,
  decide,
  evolve: (_, { data }) => data,
};
