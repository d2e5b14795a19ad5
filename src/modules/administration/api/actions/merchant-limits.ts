import { MinorUnits, Whole } from '../../../../platform/http/fields/value-fields';
import { DEFAULT_FEE_BPS, MAX_FEE_BPS } from '../../../fees/fee-schedule';
import { SetMerchantLimits } from '../../../merchants/commands/set-merchant-limits.command';
import { DEFAULT_CEILING_USD_MINOR_UNITS } from '../../../../vocabulary/payment-limits';
import { adminAction, forMerchant, row } from '../admin-action';
import { findMerchant } from './merchants';

class SetMerchantLimitsDto {
  @MinorUnits(
    'invalid_amount',
    'The most that one payment may be worth, in dollar cents',
    DEFAULT_CEILING_USD_MINOR_UNITS.toString(),
  )
  payment_ceiling_usd!: string;

  @Whole({
    min: 0,
    max: MAX_FEE_BPS,
    code: 'invalid_bps',
    description: 'The fee in basis points of a payment',
    example: DEFAULT_FEE_BPS,
  })
  fee_bps!: number;
}

export const setMerchantLimits = adminAction({
  permission: 'merchant.limits',
  path: 'merchants/:id/limits',
  summary: 'Set the ceiling of a payment, and the rate of the fee',
  body: SetMerchantLimitsDto,
  refuses: ['merchant_not_found', 'invalid_amount', 'invalid_bps'],
  look: (reads, { target }) => findMerchant(reads, target),
  difference: (merchant, { payment_ceiling_usd: ceiling, fee_bps: bps }) => [
    row('payment_ceiling_usd', merchant.payment_ceiling_usd_minor_units, ceiling),
    row('fee_bps', String(merchant.fee_bps), String(bps)),
  ],
  words: ({ name }, { target }) => ({
    does: 'Refuses payments above the ceiling from the next one on, and books fees by the rate from now on.',
    to: `Merchant ${target}: ${name}.`,
    cannotUndo: 'Fees that were booked stay as they are. The limits can be set again.',
  }),
  command: ({ target, body: { payment_ceiling_usd: ceiling, fee_bps: feeBps }, execution }) => {
    const limits = { ceilingUsdMinorUnits: BigInt(ceiling), feeBps };
    return new SetMerchantLimits(limits, forMerchant(execution, target));
  },
});
