import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import { TOKENS, type TokenId } from '../../src/kernel/tokens';
import type { PaymentIntentEvent, Quote, Remainder } from '../../src/modules/payment-intents/payment-intent.events';
import { fiatAsBaseUnits } from '../../src/modules/quotes/fiat-as-token';

/** What a payment asks for on an address, found by amount and by time. */
export type ExpectedPaymentDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly token_id: TokenId;
  readonly address: string;
  /** `paid`: a transfer of its own has been seen. `ended`: canceled, failed, or its payer rejected. */
  readonly state: 'waiting' | 'paid' | 'ended';
  /** UTC day of the quote: amounts of one day lie beside each other. */
  readonly day: string;
  readonly due_key: string;
  /** The fiat figure, taken for token units: what somebody pays who copies the price. */
  readonly fiat_key: string;
  readonly quoted_at: string;
  readonly quote_expires_at: string;
  readonly reserved_until: string;
  /** What is still missing, while it is: its day, amount and end. */
  readonly remainder_day: string | null;
  readonly remainder_key: string | null;
  readonly remainder_until: string | null;
  /** Of the first transfer that was seen. */
  readonly payer: string | null;
};

type Doc = ExpectedPaymentDocument;
type On<T extends PaymentIntentEvent['type']> = RecordedEvent<Extract<PaymentIntentEvent, { readonly type: T }>>;

/** 2^256 has 78 digits. */
const KEY_DIGITS = 78;

/** Base units as a text that sorts as they count. */
export function amountKey(baseUnits: bigint | string): string {
  return String(baseUnits).padStart(KEY_DIGITS, '0');
}

/** The day under which an amount asked for at that time is found. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}

function expected(quote: Quote, event: RecordedEvent): Doc {
  return {
    merchant_id: event.metadata.merchant_id ?? '',
    mode: event.metadata.mode,
    token_id: quote.token_id,
    address: quote.address,
    state: 'waiting',
    day: dayOf(quote.quoted_at),
    due_key: amountKey(quote.due_base_units),
    fiat_key: amountKey(fiatAsBaseUnits(BigInt(quote.price_base_units), quote.rate, TOKENS[quote.token_id].decimals)),
    quoted_at: quote.quoted_at,
    quote_expires_at: quote.quote_expires_at,
    reserved_until: quote.reserved_until,
    remainder_day: null,
    remainder_key: null,
    remainder_until: null,
    payer: null,
  };
}

const becomes =
  (change: Partial<Doc>) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, ...change };

function missing(remainder: Remainder, occurredAt: string) {
  return {
    state: 'waiting',
    remainder_day: dayOf(occurredAt),
    remainder_key: amountKey(remainder.due_base_units),
    remainder_until: remainder.reserved_until,
  } as const;
}

const SETTLED = { state: 'paid', remainder_day: null, remainder_key: null, remainder_until: null } as const;

export const expectedPaymentsProjection: Projection<ExpectedPaymentDocument> = {
  name: 'expected_payments',
  version: 1,
  categories: ['payment_intent'],
  mirrors: true,
  key: streamId,
  indexes: {
    by_due: ['mode', 'token_id', 'address', 'day', 'due_key', 'id'],
    by_fiat: ['mode', 'token_id', 'address', 'day', 'fiat_key', 'id'],
    by_remainder: ['mode', 'token_id', 'address', 'remainder_day', 'remainder_key', 'id'],
    by_time: ['mode', 'token_id', 'address', 'quoted_at', 'id'],
    by_payer: ['mode', 'merchant_id', 'payer', 'id'],
  },
  on: {
    MethodSelected: (_: Doc | null, event: On<'MethodSelected'>) => expected(event.data, event),
    PaymentCanceled: becomes({ state: 'ended' }),
    PaymentFailed: becomes({ state: 'ended' }),
    HoldRejected: becomes({ state: 'ended' }),
    TransferDetected: (doc: Doc | null, { data }: On<'TransferDetected'>) =>
      doc && { ...doc, state: 'paid', payer: doc.payer ?? data.from },
    PaymentUnderpaid: (doc: Doc | null, { data, metadata }: On<'PaymentUnderpaid'>) =>
      doc && { ...doc, ...missing(data.remainder, metadata.occurred_at) },
    RemainderReserved: (doc: Doc | null, { data, metadata }: On<'RemainderReserved'>) =>
      doc && { ...doc, ...missing(data, metadata.occurred_at) },
    PaymentConfirmed: becomes(SETTLED),
    PaymentOverpaid: becomes(SETTLED),
  },
};
