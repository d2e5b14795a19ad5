/** The fee of a payment that was confirmed or overpaid. The stream has no other event. */
export type FeeAccrued = {
  readonly type: 'FeeAccrued';
  readonly data: {
    readonly currency: string;
    /** The payment's amount, or the received one where the merchant has accepted less or later money. */
    readonly reckoned_on_minor_units: string;
    readonly fee_bps: number;
    readonly fee_minor_units: string;
  };
};
