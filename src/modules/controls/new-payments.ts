import type { MerchantContext } from '../../kernel/command-context';
import type { PaymentLimits } from '../../vocabulary/payment-limits';
import { dollarsOf, type FiatAmount } from '../quotes/quotable';
import type { Rates } from '../quotes/rate-book';
import type { VelocityCounts } from './velocity-counts';

/** A payment that is about to be made. The same payment has the same id, however often somebody tries. */
type NewPayment = {
  readonly id: string;
  readonly amount: Omit<FiatAmount, 'ceilingUsdMinorUnits'>;
  readonly limits: PaymentLimits;
  readonly context: MerchantContext;
};

/** Makes a payment that counts for its merchant. Throws Refusal rate_limit over the merchant's limit. */
export function countingNew<T>(
  velocity: Pick<VelocityCounts, 'counting'>,
  rates: Rates,
  { id, amount, limits, context }: NewPayment,
  make: () => Promise<T>,
): Promise<T> {
  const { velocity: limit } = limits;
  if (limit === null) return make();
  const subject = { mode: context.universe, kind: 'merchant', id: context.merchantId } as const;
  const counted = { name: id, amountUsdMinorUnits: dollarsOf(rates, amount), nowMs: context.now };
  return velocity.counting(limit, subject, counted, make);
}
