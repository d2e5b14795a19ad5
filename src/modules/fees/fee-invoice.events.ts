/** The same facts of the fee invoice as in the account's `FeeInvoiced`. */
type FeeInvoiceIssued = {
  readonly type: 'FeeInvoiceIssued';
  readonly data: {
    readonly number: string;
    readonly currency: string;
    readonly amount_minor_units: string;
    readonly due_at: string;
  };
};

/** The amount of the fee invoice was paid. A row of the fee ledger is of one event, so the event tells the amount. */
type FeeInvoicePaid = {
  readonly type: 'FeeInvoicePaid';
  readonly data: {
    readonly currency: string;
    readonly amount_minor_units: string;
    /** The operator's own, such as a bank's number of the payment. */
    readonly reference: string;
  };
};

export type FeeInvoiceFacts = FeeInvoiceIssued['data'];
export type FeeInvoiceEvent = FeeInvoiceIssued | FeeInvoicePaid;
