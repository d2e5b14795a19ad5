/** Sums of one currency since the account's beginning, in minor units. */
export type AccountSums = {
  /** Of all adjustments; below zero where they gave more back than they asked for. */
  readonly adjusted_minor_units: string;
  /** Of all fee invoices. */
  readonly invoiced_minor_units: string;
  /** Of the accruals that fee invoices cover: the first ones, in the order of the log. */
  readonly covered_minor_units: string;
};

/** The whole account after the event, so that the newest event is enough to go on from. */
export type AccountStanding = {
  /** Fee invoices made so far. */
  readonly fee_invoices: number;
  readonly sums: Readonly<Record<string, AccountSums>>;
};

/** A row that corrects the fee ledger. The amount is added to the fees, and one below zero gives money back. */
export type FeeAdjusted = {
  readonly type: 'FeeAdjusted';
  readonly data: {
    readonly currency: string;
    readonly amount_minor_units: string;
    /** The payment whose fee is corrected; null for an adjustment of no payment. */
    readonly payment_intent: string | null;
    readonly memo: string;
    readonly account: AccountStanding;
  };
};

/** Records that a fee invoice asks for the fees, before the fee invoice's own stream begins. */
export type FeeInvoiced = {
  readonly type: 'FeeInvoiced';
  readonly data: {
    readonly fee_invoice: string;
    readonly number: string;
    readonly currency: string;
    readonly amount_minor_units: string;
    readonly due_at: string;
    readonly account: AccountStanding;
  };
};

export type FeeAccountEvent = FeeAdjusted | FeeInvoiced;
