export type AmountReserved = {
  readonly type: 'AmountReserved';
  readonly data: {
    readonly payment_intent: string;
    readonly merchant_id: string;
    readonly wallet_id: string;
    readonly amount_base_units: string;
    readonly price_base_units: string;
    readonly reserved_at: string;
    readonly reserved_until: string;
    readonly purpose: 'quote' | 'remainder';
  };
};

/**
 * `unused`: the amount was never shown to anybody. `lapsed`: the reservation's time ran out, and coverage has passed
 * its end.
 */
type AmountReleased = {
  readonly type: 'AmountReleased';
  readonly data: { readonly payment_intent: string; readonly reason: 'unused' | 'lapsed' };
};

export type AmountSlotEvent = AmountReserved | AmountReleased;
