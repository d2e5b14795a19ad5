import type { ReadModel } from '../../kernel/ports/read-models';
import type { TokenId } from '../../vocabulary/tokens';

/** The amounts that a payment asks for on an address, found by amount and by time. */
export type ExpectedPaymentDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly token_id: TokenId;
  readonly address: string;
  /** Of the quote, in base units, with its merchant's tolerance. */
  readonly due_base_units: string;
  readonly tolerance_bps: number;
  /** `paid`: a transfer for the payment has been seen. `ended`: canceled, failed, or rejected. */
  readonly state: 'waiting' | 'paid' | 'ended';
  /**
   * `awaiting`: no transfer has reached the payment, whether or not its quote has ended. `under_way`: a transfer has,
   * and the payment is not settled. `short`: in review.
   */
  readonly standing: 'awaiting' | 'under_way' | 'short' | 'paid' | 'ended';
  /** Block time of the first transfer that reached the payment. */
  readonly first_paid_at: string | null;
  /** The moment of the cancel, by the merchant's clock. */
  readonly canceled_at: string | null;
  /** Base units of each transfer that the payment has, by its id. */
  readonly brought: Readonly<Record<string, string>>;
  /** The transfer that the payment ever got by inference. */
  readonly inferred_transfer: string | null;
  /** The quote's wallet was declared dedicated. */
  readonly dedicated: boolean;
  /** UTC day of the quote: amounts of one day lie beside each other. */
  readonly day: string;
  readonly due_key: string;
  /** The fiat figure read as token units: somebody who copies the price pays this amount. */
  readonly fiat_key: string;
  readonly quoted_at: string;
  readonly quote_expires_at: string;
  readonly reserved_until: string;
  /**
   * The remainder's day, amount and end. While no amount is reserved for a missing part, that part counts as the
   * remainder. The document keeps these facts after the remainder has come, since a payer may send it twice.
   */
  readonly remainder_day: string | null;
  readonly remainder_key: string | null;
  readonly remainder_until: string | null;
  /** The payer of the first transfer that was seen. */
  readonly payer: string | null;
};

/** 2^256 has 78 digits. */
const KEY_DIGITS = 78;

/** Base units as a text that sorts by value. */
export function amountKey(baseUnits: bigint | string): string {
  return String(baseUnits).padStart(KEY_DIGITS, '0');
}

/** The day under which an amount asked for at that time is found. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}

export const expectedPaymentsReadModel: ReadModel<ExpectedPaymentDocument> = {
  name: 'expected_payments',
  version: 5,
  indexes: {
    by_due: ['mode', 'token_id', 'address', 'day', 'due_key', 'id'],
    by_fiat: ['mode', 'token_id', 'address', 'day', 'fiat_key', 'id'],
    by_remainder: ['mode', 'token_id', 'address', 'remainder_day', 'remainder_key', 'id'],
    by_time: ['mode', 'token_id', 'address', 'quoted_at', 'id'],
    by_payer: ['mode', 'merchant_id', 'payer', 'id'],
  },
};
