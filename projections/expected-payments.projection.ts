import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { TOKENS } from '../src/vocabulary/tokens';
import {
  amountKey,
  dayOf,
  expectedPaymentsReadModel,
  type ExpectedPaymentDocument,
} from '../src/modules/payment-intents/expected-payments.read-model';
import type { PaymentIntentEvent, Quote, Remainder } from '../src/modules/payment-intents/payment-intent.events';
import { fiatAsBaseUnits } from '../src/modules/quotes/fiat-as-token';

type Doc = ExpectedPaymentDocument;

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

/** The payment is short, and no amount is reserved for the remainder yet. */
const ASKS_NOTHING_YET = { state: 'waiting' } as const;

function remainderAsked(remainder: Remainder, occurredAt: string) {
  return {
    state: 'waiting',
    remainder_day: dayOf(occurredAt),
    remainder_key: amountKey(remainder.due_base_units),
    remainder_until: remainder.reserved_until,
  } as const;
}

export const expectedPaymentsProjection: Projection<ExpectedPaymentDocument, PaymentIntentEvent> = {
  ...expectedPaymentsReadModel,
  categories: ['payment_intent'],
  mirrors: true,
  key: streamId,
  on: {
    PaymentIntentCreated: null,
    MethodSelected: (_, event) => expected(event.data, event),
    PaymentCanceled: becomes({ state: 'ended' }),
    PaymentFailed: becomes({ state: 'ended' }),
    HoldRejected: becomes({ state: 'ended' }),
    TransferDetected: (doc, { data }) => doc && { ...doc, state: 'paid', payer: doc.payer ?? data.from },
    PaymentUnderpaid: (doc, { data, metadata }) =>
      doc && { ...doc, ...(data.remainder ? remainderAsked(data.remainder, metadata.occurred_at) : ASKS_NOTHING_YET) },
    RemainderCredited: becomes(ASKS_NOTHING_YET),
    RemainderReserved: (doc, { data, metadata }) => doc && { ...doc, ...remainderAsked(data, metadata.occurred_at) },
    ReviewResolved: (doc, { data }) => doc && (data.resolution === 'rejected' ? { ...doc, state: 'ended' } : doc),
    PaymentConfirmed: becomes({ state: 'paid' }),
    PaymentOverpaid: becomes({ state: 'paid' }),
    QuoteExpired: null,
    TransferDropped: null,
    TransferMoved: null,
    TransferLimitReached: null,
    ConfirmationSeen: null,
    PayerScreened: null,
    DepthReached: null,
    PaidLate: null,
    HoldPlaced: null,
    HoldReleased: null,
    PaymentAccepted: null,
    SettledTransferLost: null,
  },
};
