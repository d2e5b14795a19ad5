import { DEFAULT_CEILING_USD_MINOR_UNITS, type PaymentLimits } from '../../src/vocabulary/payment-limits';

/** The limits of a new account where the operator has set none. */
export const DEFAULT_PAYMENT_LIMITS: PaymentLimits = {
  ceilingUsdMinorUnits: DEFAULT_CEILING_USD_MINOR_UNITS,
  velocity: null,
};
