// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Rows } from '../rows';
import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/** One payment of an export */
export interface PaymentExportRow {
  readonly id: string;
  readonly status:
    | 'created'
    | 'awaiting_payment'
    | 'detected'
    | 'confirming'
    | 'confirmed'
    | 'underpaid'
    | 'overpaid'
    | 'paid_late'
    | 'expired'
    | 'canceled'
    | 'failed';
  readonly created: string;
  readonly confirmed_at: string | null;
  readonly canceled_at: string | null;
  /** ISO 4217 */
  readonly currency: string;
  /** Whole minor units of the currency */
  readonly amount: string;
  /** The same in whole units */
  readonly amount_decimal: string;
  /** Whole minor units of the currency, all transfers together */
  readonly received_amount: string;
  /** The same in whole units */
  readonly received_amount_decimal: string;
  /** Null before a method is selected, as all that is about the token */
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base' | null;
  readonly asset_symbol: 'USDT' | 'USDC' | null;
  readonly network_id: 'tron' | 'bnb' | 'base' | null;
  /** The exact amount that was asked for */
  readonly token_amount: string | null;
  /** All transfers together */
  readonly received_token_amount: string | null;
  /** Amount beyond the amount due */
  readonly surplus_token_amount: string | null;
  /** Token units for one major unit of the currency */
  readonly rate: string | null;
  readonly wallet_id: string | null;
  /** Your wallet */
  readonly address: string | null;
  readonly review_reason: 'underpaid' | 'paid_late' | null;
  readonly review_resolution: 'accepted' | 'rejected' | null;
  readonly failure_reason: string | null;
  /** The link that made it */
  readonly payment_link: string | null;
  /** The invoice that it is to pay */
  readonly invoice: string | null;
  /** Shown to the customer at checkout */
  readonly description: string | null;
  /** Your own short strings, given back on every read and delivery */
  readonly metadata: Readonly<Record<string, string>>;
}

/** One transfer of an export */
export interface TransferExportRow {
  readonly id: string;
  /** The payment that it is counted for */
  readonly payment_intent: string;
  /** When that payment was made: the order of the rows, and their range */
  readonly payment_created: string;
  /** Only a credited transfer is money for certain */
  readonly status: 'seen' | 'confirming' | 'credited' | 'reorged' | 'failed';
  readonly attribution: 'exact' | 'claimed' | 'inferred';
  readonly network_id: 'tron' | 'bnb' | 'base';
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  readonly asset_symbol: 'USDT' | 'USDC';
  /** Amount that has come */
  readonly token_amount: string;
  /** 0x and 64 hex characters; on tron 64 without 0x */
  readonly tx_hash: string;
  /** Which transfer of its transaction */
  readonly log_index: number;
  /** The payer */
  readonly from: string;
  /** Your wallet */
  readonly to: string;
  readonly wallet_id: string;
  /** The block that holds it */
  readonly block_number: number;
  /** The time of that block */
  readonly block_time: string;
}

/** One unmatched transfer of an export */
export interface UnmatchedTransferExportRow {
  readonly id: string;
  /** set_aside: you took it out of the queue */
  readonly status: 'unmatched' | 'attribution_failed' | 'set_aside';
  /** When it came into the queue */
  readonly created: string;
  readonly network_id: 'tron' | 'bnb' | 'base';
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  readonly asset_symbol: 'USDT' | 'USDC';
  /** Amount that has come */
  readonly token_amount: string;
  /** 0x and 64 hex characters; on tron 64 without 0x */
  readonly tx_hash: string;
  /** Which transfer of its transaction */
  readonly log_index: number;
  /** The sender */
  readonly from: string;
  /** Your wallet */
  readonly to: string;
  /** The block that holds it */
  readonly block_number: number;
  /** The time of that block */
  readonly block_time: string;
  /** Why no payment has it */
  readonly reason: string | null;
  /** returned: it went back to its sender */
  readonly set_aside_outcome: 'returned' | 'kept' | null;
  /** Your note */
  readonly set_aside_note: string | null;
}

/** One row of the fee ledger of an export */
export interface FeeExportRow {
  readonly id: string;
  /**
   * Rows of the first three kinds add up to the balance. A payment pays its fee invoice, and changes no
   * balance
   */
  readonly kind: 'accrual' | 'adjustment' | 'invoice' | 'payment';
  readonly created: string;
  /** ISO 4217 */
  readonly currency: string;
  /** Whole minor units, below zero where it lessens your fees */
  readonly amount: string;
  /** The same in whole units */
  readonly amount_decimal: string;
  /** The payment whose fee the row books or corrects */
  readonly payment_intent: string | null;
  /** Of the kinds invoice and payment */
  readonly fee_invoice: string | null;
  /** The reason of an adjustment */
  readonly memo: string | null;
}

/** One invoice of an export */
export interface InvoiceExportRow {
  readonly id: string;
  /** The prefix and the sequence */
  readonly number: string;
  /** The place in your series */
  readonly sequence: number;
  readonly status: 'draft' | 'open' | 'paid' | 'void';
  readonly created: string;
  readonly issued_at: string | null;
  readonly due_at: string | null;
  readonly paid_at: string | null;
  readonly voided_at: string | null;
  /** ISO 4217 */
  readonly currency: string;
  /** Whole minor units, as all amounts without `_decimal` */
  readonly subtotal: string;
  /** The same in whole units */
  readonly subtotal_decimal: string;
  /** Of all lines */
  readonly discount_total: string;
  /** The same in whole units */
  readonly discount_total_decimal: string;
  /** Of all lines */
  readonly tax_total: string;
  /** The same in whole units */
  readonly tax_total_decimal: string;
  /** To pay */
  readonly amount: string;
  /** The same in whole units */
  readonly amount_decimal: string;
  /** As you named them */
  readonly customer_name: string | null;
  /** For mails */
  readonly customer_email: string | null;
  /** The newest payment of the invoice */
  readonly payment_intent: string | null;
  /** Of the invoice as a whole */
  readonly description: string | null;
  /** Printed below the lines */
  readonly notes: string | null;
  /** Your own short strings, given back on every read and delivery */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ExportsPaymentsQuery {
  readonly from?: string;
  readonly to?: string;
}

export interface ExportsTransfersQuery {
  readonly from?: string;
  readonly to?: string;
}

export interface ExportsUnmatchedTransfersQuery {
  readonly from?: string;
  readonly to?: string;
}

export interface ExportsFeesQuery {
  readonly from?: string;
  readonly to?: string;
}

export interface ExportsInvoicesQuery {
  readonly from?: string;
  readonly to?: string;
}

export class ExportsResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Export payments as a file, newest first */
  payments(query?: ExportsPaymentsQuery, options?: RequestOptions): Rows<PaymentExportRow> {
    return this.#requester.rows({ path: '/v1/exports/payments', query }, options);
  }

  /** Export the transfers of payments as a file, newest payment first */
  transfers(query?: ExportsTransfersQuery, options?: RequestOptions): Rows<TransferExportRow> {
    return this.#requester.rows({ path: '/v1/exports/transfers', query }, options);
  }

  /** Export the transfers without a payment as a file, newest first */
  unmatchedTransfers(
    query?: ExportsUnmatchedTransfersQuery,
    options?: RequestOptions,
  ): Rows<UnmatchedTransferExportRow> {
    return this.#requester.rows({ path: '/v1/exports/unmatched_transfers', query }, options);
  }

  /** Export the rows of the fee ledger of this mode as a file, newest first */
  fees(query?: ExportsFeesQuery, options?: RequestOptions): Rows<FeeExportRow> {
    return this.#requester.rows({ path: '/v1/exports/fees', query }, options);
  }

  /** Export invoices as a file, newest number first */
  invoices(query?: ExportsInvoicesQuery, options?: RequestOptions): Rows<InvoiceExportRow> {
    return this.#requester.rows({ path: '/v1/exports/invoices', query }, options);
  }
}
