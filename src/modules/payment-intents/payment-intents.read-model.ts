import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';
import type { TokenId } from '../../vocabulary/tokens';
import type { FailureReason } from './payment-intent.events';
import type { ExistingPaymentIntent, LedgerTransfer } from './payment-intent.state';
import type { Status } from './payment-intent.transitions';

/** A standing transfer is as the ledger has it; a transfer that is gone keeps its last facts. */
export type TransferRow = Omit<LedgerTransfer, 'final' | 'sighting'> & {
  readonly status: 'seen' | 'confirming' | 'credited' | 'reorged' | 'failed';
};

export type PaymentIntentDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly status: Status;
  /** Null before a method is selected, and so are `token_id` and `address_key`. */
  readonly network_id: NetworkId | null;
  readonly token_id: TokenId | null;
  readonly address_key: string | null;
  /** The quote's moment, its UTC day, and its amount; null before a method is selected. */
  readonly quoted_at: string | null;
  readonly quoted_day: string | null;
  readonly due_key: string | null;
  /** The fiat figure read as token units: somebody who copies the price pays this amount. */
  readonly fiat_key: string | null;
  readonly currency: string;
  readonly amount_minor_units: string;
  /** Whether the network's watcher has something to follow. */
  readonly followed: boolean;
  /** Highest block of a transfer that counts; null where none counts. */
  readonly counted_block: number | null;
  /** True while the review waits for a decision, and null otherwise. */
  readonly needs_decision: true | null;
  /** True while a hold waits for its release or rejection, and null otherwise. */
  readonly hold_open: true | null;
  readonly created: string;
  /** The link or the invoice that the payment comes from, by its id; null where neither made it. */
  readonly origin: string | null;
  /** The payment as its events fold. The domain's functions over this state answer every rule. */
  readonly state: ExistingPaymentIntent;
  /** The amount by which the payment was settled; in review, the amount on the chain. */
  readonly received_minor_units: string;
  readonly received_base_units: string;
  readonly surplus_base_units: string | null;
  readonly transfers: readonly TransferRow[];
  readonly review: {
    readonly reason: 'underpaid' | 'paid_late';
    readonly entered_at: string;
    readonly note: string | null;
  } | null;
  /** The last hold; the state has its status. */
  readonly hold: { readonly id: string; readonly placed_at: string; readonly resolved_at: string | null } | null;
  readonly failure_reason: FailureReason | 'compliance_rejected' | null;
  /** The moment of the cancel, by the merchant's clock. */
  readonly canceled_at: string | null;
  readonly confirmed_at: string | null;
  /** Block time of the first transfer that reached the payment; null while the payment awaits one. */
  readonly first_paid_at: string | null;
  /** The payer of the first transfer that was seen. */
  readonly payer: string | null;
  /**
   * The last missing part that the payment asked for: the day of the asking, the amount, and its end. The document
   * keeps these facts after the part has come, since a payer may send it twice.
   */
  readonly remainder_day: string | null;
  readonly remainder_key: string | null;
  readonly remainder_until: string | null;
};

/** An address as a text that is the same however people write it. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** 2^256 has 78 digits. */
const KEY_DIGITS = 78;

/** Base units as a text that sorts by value. */
export function amountKey(baseUnits: bigint | string): string {
  return String(baseUnits).padStart(KEY_DIGITS, '0');
}

/** The day under which an amount asked for at that time is found: amounts of one day lie beside each other. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}

export const paymentIntentsReadModel: ReadModel<PaymentIntentDocument> = {
  name: 'payment_intents',
  version: 13,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    by_status: ['merchant_id', 'mode', 'status', 'created', 'id'],
    by_origin: ['merchant_id', 'mode', 'origin', 'created', 'id'],
    by_origin_and_status: ['merchant_id', 'mode', 'origin', 'status', 'created', 'id'],
    by_token: ['merchant_id', 'mode', 'token_id', 'created', 'id'],
    by_address: ['merchant_id', 'mode', 'address_key', 'created', 'id'],
    by_amount: ['merchant_id', 'mode', 'currency', 'amount_minor_units', 'created', 'id'],
    by_network: ['mode', 'network_id', 'followed', 'id'],
    by_counted_block: ['mode', 'network_id', 'counted_block', 'id'],
    by_decision: ['merchant_id', 'mode', 'needs_decision', 'created', 'id'],
    by_decision_and_status: ['merchant_id', 'mode', 'needs_decision', 'status', 'id'],
    by_open_hold: ['merchant_id', 'mode', 'hold_open', 'created', 'id'],
    by_any_decision: ['needs_decision', 'id'],
    by_due: ['mode', 'token_id', 'address_key', 'quoted_day', 'due_key', 'id'],
    by_fiat: ['mode', 'token_id', 'address_key', 'quoted_day', 'fiat_key', 'id'],
    by_remainder: ['mode', 'token_id', 'address_key', 'remainder_day', 'remainder_key', 'id'],
    by_quote: ['mode', 'token_id', 'address_key', 'quoted_at', 'id'],
    by_payer: ['mode', 'merchant_id', 'payer', 'id'],
  },
  sparse: {
    by_origin: 'origin',
    by_origin_and_status: 'origin',
    by_token: 'token_id',
    by_address: 'address_key',
    by_network: 'network_id',
    by_counted_block: 'network_id',
    by_decision: 'needs_decision',
    by_decision_and_status: 'needs_decision',
    by_open_hold: 'hold_open',
    by_any_decision: 'needs_decision',
    by_due: 'quoted_day',
    by_fiat: 'quoted_day',
    by_remainder: 'remainder_day',
    by_quote: 'token_id',
    by_payer: 'payer',
  },
};
