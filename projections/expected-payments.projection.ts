import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { TOKENS } from '../src/vocabulary/tokens';
import {
  amountKey,
  dayOf,
  expectedPaymentsReadModel,
  type ExpectedPaymentDocument,
} from '../src/modules/payment-intents/expected-payments.read-model';
import type {
  PaymentIntentEvent,
  Quote,
  Remainder,
  TransferDetected,
} from '../src/modules/payment-intents/payment-intent.events';
import { missingBaseUnits } from '../src/modules/payment-intents/payment-intent.outcome';
import { fiatAsBaseUnits } from '../src/modules/quotes/fiat-as-token';

type Doc = ExpectedPaymentDocument;

function expected(quote: Quote, event: RecordedEvent): Doc {
  return {
    merchant_id: event.metadata.merchant_id ?? '',
    mode: event.metadata.mode,
    token_id: quote.token_id,
    address: quote.address,
    due_base_units: quote.due_base_units,
    tolerance_bps: quote.tolerance_bps,
    state: 'waiting',
    standing: 'awaiting',
    first_paid_at: null,
    canceled_at: null,
    brought: {},
    inferred_transfer: null,
    dedicated: quote.dedicated,
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
const ENDED = { state: 'ended', standing: 'ended' } as const;
const PAID = { state: 'paid', standing: 'paid' } as const;

/** A transfer reached the payment. A part that is missing now is what a payer may send next. */
function reached(doc: Doc, { data, metadata }: RecordedEvent<TransferDetected>): Doc {
  const brought = { ...doc.brought, [data.transfer_id]: data.value_base_units };
  const sum = Object.values(brought).reduce((total, value) => total + BigInt(value), 0n);
  const missing = doc.remainder_key === null ? missingBaseUnits({ quote: doc }, sum) : null;
  return {
    ...doc,
    ...(missing !== null && {
      remainder_day: dayOf(metadata.occurred_at),
      remainder_key: amountKey(missing),
      remainder_until: doc.reserved_until,
    }),
    state: doc.state === 'ended' ? 'ended' : 'paid',
    standing: doc.standing === 'awaiting' ? 'under_way' : doc.standing,
    first_paid_at: doc.first_paid_at ?? data.block_time,
    brought,
    inferred_transfer: data.attribution === 'inferred' ? data.transfer_id : doc.inferred_transfer,
    payer: doc.payer ?? data.from,
  };
}

function without({ brought }: Doc, transferId: string): Pick<Doc, 'brought'> {
  return { brought: Object.fromEntries(Object.entries(brought).filter(([id]) => id !== transferId)) };
}

/** A payment of which nothing is left waits as before its first transfer. */
function lost(doc: Doc, transferId: string): Doc {
  const { brought } = without(doc, transferId);
  const isBare = doc.standing === 'under_way' && Object.keys(brought).length === 0;
  return { ...doc, brought, ...(isBare && { state: 'waiting', standing: 'awaiting', first_paid_at: null }) };
}

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
    PaymentCanceled: (doc, { metadata }) => doc && { ...doc, ...ENDED, canceled_at: metadata.occurred_at },
    PaymentFailed: (doc, { data }) => doc && { ...doc, ...without(doc, data.transfer_id), ...ENDED },
    HoldRejected: becomes(ENDED),
    TransferDetected: (doc, event) => doc && reached(doc, event),
    PaymentUnderpaid: (doc, { data, metadata }) =>
      doc && {
        ...doc,
        standing: 'short',
        ...(data.remainder ? remainderAsked(data.remainder, metadata.occurred_at) : ASKS_NOTHING_YET),
      },
    RemainderCredited: becomes(ASKS_NOTHING_YET),
    RemainderReserved: (doc, { data, metadata }) => doc && { ...doc, ...remainderAsked(data, metadata.occurred_at) },
    ReviewResolved: (doc, { data }) => doc && (data.resolution === 'rejected' ? { ...doc, ...ENDED } : doc),
    PaymentConfirmed: becomes(PAID),
    PaymentOverpaid: becomes(PAID),
    QuoteExpired: null,
    TransferDropped: (doc, { data }) => doc && lost(doc, data.transfer_id),
    TransferMoved: null,
    TransferLimitReached: null,
    ConfirmationSeen: null,
    PayerScreened: null,
    DepthReached: null,
    PaidLate: becomes({ standing: 'short' }),
    HoldPlaced: null,
    HoldReleased: null,
    PaymentAccepted: null,
    SettledTransferLost: (doc, { data }) => doc && lost(doc, data.transfer_id),
  },
};
