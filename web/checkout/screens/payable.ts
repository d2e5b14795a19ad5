import { parseIsoTime } from '../../../src/kernel/clock';
import { parseDecimal } from '../../../src/vocabulary/money';
import { MONITORING_WINDOW_MS } from '../../../src/modules/payment-intents/quote-times';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The amount that is to be sent, and until when: the whole amount, or the remainder. */
export type Payable = {
  readonly amount: string;
  readonly baseUnits: string;
  /** Null where no digits are to be told apart. */
  readonly price: string | null;
  readonly address: string;
  readonly payUri: string;
  readonly startsMs: number;
  readonly endsMs: number;
};

/** The amount that is to be sent now; null where there is none. */
export function payableOf({ payment, priceTokenAmount, nowMs }: CheckoutView): Payable | null {
  const { payment_method: method, remaining } = payment;
  if (!method) return null;
  const { address } = method;
  if (remaining) {
    const endsMs = parseIsoTime(remaining.reserved_until);
    return {
      amount: remaining.token_amount,
      baseUnits: parseDecimal(remaining.token_amount, method.token_decimals).toString(),
      price: null,
      address,
      payUri: remaining.pay_uri,
      startsMs: Math.min(nowMs, endsMs - MONITORING_WINDOW_MS),
      endsMs,
    };
  }
  return {
    amount: method.token_amount,
    baseUnits: method.token_amount_base_units,
    price: priceTokenAmount,
    address,
    payUri: method.pay_uri,
    startsMs: parseIsoTime(method.quoted_at),
    endsMs: parseIsoTime(method.quote_expires_at),
  };
}
