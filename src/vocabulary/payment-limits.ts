/** The limit on how often, and for how much, one subject takes part in payments. */
export type VelocityLimit = {
  /** Every span of so many milliseconds is looked at. */
  readonly windowMs: number;
  readonly maxCount: number;
  readonly maxAmountUsdMinorUnits: bigint;
};

/** The limits of an account on its new payments, as of one request. */
export type PaymentLimits = {
  /** The ceiling of one payment. */
  readonly ceilingUsdMinorUnits: bigint;
  /** Null where the operator has set no limit on merchants. */
  readonly velocity: VelocityLimit | null;
};

/** The ceiling for one payment of an account that has none of its own. */
export const DEFAULT_CEILING_USD_MINOR_UNITS = 100_000_000n;
