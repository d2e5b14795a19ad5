// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

/** A payment that is asked for in fiat and made in a token */
export interface PaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  /** Ship on confirmed and overpaid, on nothing else */
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
  /** Whole minor units of the currency */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  /** The exponent of the currency */
  readonly currency_decimals: number;
  /** Whole minor units, all transfers together */
  readonly received_amount: string;
  /** The same in the token; null before a method is selected */
  readonly received_token_amount: string | null;
  /** Amount beyond the amount due; null until the payment is paid with more than was asked for */
  readonly surplus_token_amount: string | null;
  /** Your own short strings, given back on every read and delivery */
  readonly metadata: Readonly<Record<string, string>>;
  /** Shown to the customer at checkout */
  readonly description: string | null;
  readonly created: string;
  /** When the quote ends; null before a method is selected */
  readonly expires_at: string | null;
  /** Where to send the customer */
  readonly checkout_url: string;
  /** Where the customer goes after checkout; no proof of payment */
  readonly success_url: string | null;
  readonly payment_method: PaymentMethod | null;
  /**
   * In underpaid: how the remainder can be paid. Null after reserved_until, while a hold is open, and after a
   * rejection in review or by compliance. While the remainder is reckoned anew after a lost transfer, or no
   * amount is free for it, nothing is to be paid either. Nor is anything while an inferred transfer waits for
   * your decision.
   */
  readonly remaining: {
    /** To be paid exactly, unrounded: it tells this payment from all others */
    readonly token_amount: string;
    /** The merchant's own wallet */
    readonly address: string;
    /** For a QR code: EIP-681 on bnb and base */
    readonly pay_uri: string;
    /**
     * Until then a transfer of this amount is matched to the payment. After it, show the amount to nobody: it
     * may be asked for another payment.
     */
    readonly reserved_until: string;
  } | null;
  readonly transfers: readonly Transfer[];
  /**
   * The newest ten transactions that were named for it; GET /v1/transaction_claims has all. Null in webhook
   * events.
   */
  readonly claims:
    | readonly {
        readonly id: string;
        /** The hash, or an exchange's own number */
        readonly reference: string;
        readonly kind: 'transaction' | 'exchange_transfer';
        readonly status: 'pending' | 'in_review' | 'attributed' | 'refused';
        readonly created: string;
      }[]
    | null;
  /** A decision that is, or was, yours to make */
  readonly review: {
    readonly reason: 'underpaid' | 'paid_late';
    readonly entered_at: string;
    /** The decision; it stays null where the remainder has paid the payment, or compliance has rejected it */
    readonly resolution: 'accepted' | 'rejected' | null;
    readonly note: string | null;
  } | null;
  /** While it is open the payment cannot be confirmed */
  readonly hold: {
    readonly id: string;
    readonly status: 'open' | 'released' | 'rejected';
    readonly placed_at: string;
    /** Null while the hold is open */
    readonly resolved_at: string | null;
    /** Null: the reasons of compliance are not told */
    readonly note: string | null;
  } | null;
  /** After compliance_rejected the received_amount lies in your wallet */
  readonly failure_reason: 'reverted' | 'reorged_out' | 'verification_failed' | 'compliance_rejected' | null;
  /** The payment in whose place the customer started this one; only where checkout_restart allows it */
  readonly restarted_from: string | null;
  /** The link that made it */
  readonly payment_link: string | null;
  /** The invoice that it is to pay */
  readonly invoice: string | null;
  readonly canceled_at: string | null;
  readonly confirmed_at: string | null;
}

/** Amount to pay, and the address to pay it to */
export interface PaymentMethod {
  readonly token_id: 'usdt-tron' | 'usdt-bnb' | 'usdc-base';
  readonly asset_symbol: 'USDT' | 'USDC';
  readonly network_id: 'tron' | 'bnb' | 'base';
  /** EIP-155; null on tron */
  readonly chain_id: number | null;
  readonly wallet_id: string;
  /** The merchant's own wallet */
  readonly address: string;
  /** The one contract that is matched */
  readonly token_contract: string;
  /** Of this token on this network */
  readonly token_decimals: number;
  /** To be paid exactly, unrounded: it tells this payment from all others */
  readonly token_amount: string;
  /** The same in the smallest units of the token */
  readonly token_amount_base_units: string;
  /** For a QR code: EIP-681 on bnb and base */
  readonly pay_uri: string;
  /** Token units for one major unit of the currency */
  readonly rate: string;
  readonly rate_sources: readonly string[];
  readonly quoted_at: string;
  /** 15 minutes after quoted_at */
  readonly quote_expires_at: string;
  /** Until then a transfer of this amount is still matched to the payment */
  readonly reserved_until: string;
}

/** A transfer on chain that is counted for the payment */
export interface Transfer {
  readonly id: string;
  /** 0x and 64 hex characters; on tron 64 without 0x */
  readonly tx_hash: string;
  /** Which transfer of its transaction */
  readonly log_index: number;
  /** The payer */
  readonly from: string;
  /** Amount that has come */
  readonly token_amount: string;
  /** The block that holds it */
  readonly block_number: number;
  /** Blocks on top of that one, as last seen */
  readonly confirmations: number;
  /** How many are waited for */
  readonly required_confirmations: number;
  /**
   * exact: its amount met the amount due or a remainder. claimed: you, the customer or support named it.
   * inferred: its amount and its moment point to no other payment. A payment with an inferred transfer is
   * underpaid until you accept it, save on a dedicated wallet
   */
  readonly attribution: 'exact' | 'claimed' | 'inferred';
  readonly status: 'seen' | 'confirming' | 'credited' | 'reorged' | 'failed';
}

/** A transaction that somebody named for a payment */
export interface TransactionClaim {
  readonly id: string;
  readonly object: 'transaction_claim';
  /** The mode of the key; the two share nothing */
  readonly mode: 'test' | 'live';
  readonly payment_intent: string;
  /**
   * transaction: tx_hash is a hash. exchange_transfer: tx_hash is the own number of an exchange, which people
   * look into.
   */
  readonly kind: 'transaction' | 'exchange_transfer';
  /** The hash, or an exchange's own number */
  readonly tx_hash: string;
  /** Which transfer of the transaction; null where none was named */
  readonly log_index: number | null;
  /**
   * pending: no block holds the transaction yet. in_review: people decide whose it is. attributed: it was
   * counted for the payment. refused: it could not be.
   */
  readonly status: 'pending' | 'in_review' | 'attributed' | 'refused';
  /** Why people decide; null otherwise */
  readonly reason: string | null;
  /** The transfer that is in review */
  readonly transfer: string | null;
  /** Until then the transaction is waited for; null where it is not */
  readonly expires_at: string | null;
  readonly created: string;
}
