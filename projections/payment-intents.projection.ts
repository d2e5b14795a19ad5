import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection, type ProjectionHandler } from '../src/kernel/projection';
import {
  goesToQueue,
  type FailureReason,
  type PaymentIntentEvent,
  type Quote,
} from '../src/modules/payment-intents/payment-intent.events';
import { highestCountedBlock, isFollowed } from '../src/modules/payment-intents/payment-intent.followed';
import { holdId, isHoldOpen, rejectedBaseUnits } from '../src/modules/payment-intents/payment-intent.holds';
import { isInReview, receivedAmounts, receivedBaseUnits } from '../src/modules/payment-intents/payment-intent.outcome';
import { needsDecision } from '../src/modules/payment-intents/payment-intent.review';
import { missingPart, standingOf } from '../src/modules/payment-intents/payment-intent.standing';
import {
  evolve,
  NO_PAYMENT_INTENT,
  type ExistingPaymentIntent,
  type LedgerTransfer,
  type QuotedPaymentIntent,
} from '../src/modules/payment-intents/payment-intent.state';
import {
  addressKey,
  amountKey,
  dayOf,
  paymentIntentsReadModel,
  type PaymentIntentDocument,
  type TransferRow,
} from '../src/modules/payment-intents/payment-intents.read-model';
import { fiatAsBaseUnits } from '../src/modules/quotes/fiat-as-token';
import { TOKENS } from '../src/vocabulary/tokens';

type Doc = PaymentIntentDocument;
type Computed =
  | 'status'
  | 'network_id'
  | 'token_id'
  | 'address_key'
  | 'quoted_at'
  | 'quoted_day'
  | 'due_key'
  | 'fiat_key'
  | 'currency'
  | 'amount_minor_units'
  | 'followed'
  | 'counted_block'
  | 'needs_decision'
  | 'hold_open'
  | 'state';
/** The document's part beside the folded state: moments, words, and transfers that are gone. */
type Trace = Omit<Doc, Computed | 'merchant_id' | 'mode'>;

/** The domain folds the event; the handler adds the fields that the fold does not keep to the trace. */
function traced<Event extends PaymentIntentEvent>(
  handler: (doc: Doc, event: RecordedEvent<Event>, state: ExistingPaymentIntent) => Partial<Trace>,
): ProjectionHandler<Doc, Event> {
  return (doc, event) => {
    if (doc === null) return null;
    const state = evolve(doc.state, event);
    if (state.status === 'none') return doc;
    const next = { ...doc, ...handler(doc, event, state), ...computed(state) };
    if (state.quote === null) return next;
    return { ...next, ...shownOfLedger(next, event, state), ...askedFor(next, event, state) };
  };
}

/** Where an index needs a consequence of the state, the domain's functions compute it. */
function computed(state: ExistingPaymentIntent): Pick<Doc, Computed> {
  const { quote, terms } = state;
  return {
    status: state.status,
    network_id: quote?.network_id ?? null,
    token_id: quote?.token_id ?? null,
    address_key: quote && addressKey(quote.address),
    quoted_at: quote?.quoted_at ?? null,
    quoted_day: quote && dayOf(quote.quoted_at),
    due_key: quote && amountKey(quote.due_base_units),
    fiat_key: quote && amountKey(fiatOf(quote)),
    currency: terms.currency,
    amount_minor_units: terms.amount_minor_units,
    followed: isFollowed(state),
    counted_block: highestCountedBlock(state),
    needs_decision: needsDecision(state) || null,
    hold_open: isHoldOpen(state) || null,
    state,
  };
}

function fiatOf({ token_id, price_base_units, rate }: Quote): bigint {
  return fiatAsBaseUnits(BigInt(price_base_units), rate, TOKENS[token_id].decimals);
}

type Asked = Pick<Trace, 'first_paid_at' | 'remainder_day' | 'remainder_key' | 'remainder_until'>;

/** The moments that the search for a transfer's payment goes by. A missing part stays after it has come. */
function askedFor(doc: Doc, { metadata }: RecordedEvent, payment: QuotedPaymentIntent): Partial<Asked> {
  const part = missingPart(payment);
  const key = part && amountKey(part.baseUnits);
  const isNews = part !== null && (key !== doc.remainder_key || part.reservedUntil !== doc.remainder_until);
  return {
    ...(standingOf(payment) === 'awaiting' && { first_paid_at: null }),
    ...(isNews && {
      remainder_day: dayOf(metadata.occurred_at),
      remainder_key: key,
      remainder_until: part.reservedUntil,
    }),
  };
}

/**
 * In review and after a rejection, the received amount follows the chain. A settled payment keeps its amount at the
 * settlement.
 */
function shownOfLedger({ transfers }: Doc, { data }: PaymentIntentEvent, payment: QuotedPaymentIntent): Partial<Trace> {
  const rejected = rejectedBaseUnits(payment);
  return {
    // An event changes one transfer at most.
    ...('transfer_id' in data && {
      transfers: transfers.map(row => (row.transfer_id === data.transfer_id ? asInLedger(row, payment) : row)),
    }),
    ...(isInReview(payment) && receivedAmounts(payment, receivedBaseUnits(payment))),
    ...(rejected !== null && receivedAmounts(payment, rejected)),
  };
}

function asInLedger(row: TransferRow, { ledger }: QuotedPaymentIntent): TransferRow {
  const standing = ledger.transfers[row.transfer_id];
  if (!standing) return row;
  return { ...asRow(standing), status: standing.final ? 'credited' : row.status };
}

function asRow({ final: _final, sighting: _sighting, ...transfer }: LedgerTransfer): Omit<TransferRow, 'status'> {
  return transfer;
}

function marked({ transfers }: Doc, transferId: string, status: TransferRow['status']): Pick<Doc, 'transfers'> {
  return { transfers: transfers.map(row => (row.transfer_id === transferId ? { ...row, status } : row)) };
}

function gone(doc: Doc, transferId: string, reason: FailureReason): Pick<Doc, 'transfers'> {
  return marked(doc, transferId, reason === 'reorged_out' ? 'reorged' : 'failed');
}

function resolved({ hold }: Doc, at: string): Pick<Doc, 'hold'> {
  return { hold: hold && { ...hold, resolved_at: at } };
}

function without({ transfers }: Doc, transferId: string): readonly TransferRow[] {
  return transfers.filter(row => row.transfer_id !== transferId);
}

const untraced = traced(() => ({}));
const paid = traced<Extract<PaymentIntentEvent, { readonly type: 'PaymentConfirmed' | 'PaymentOverpaid' }>>(
  (_, { data: { received_base_units, received_minor_units, surplus_base_units }, metadata }) => ({
    received_base_units,
    received_minor_units,
    surplus_base_units,
    confirmed_at: metadata.occurred_at,
  }),
);

export const paymentIntentsProjection: Projection<PaymentIntentDocument, PaymentIntentEvent> = {
  ...paymentIntentsReadModel,
  categories: ['payment_intent'],
  mirrors: true,
  key: streamId,
  on: {
    PaymentIntentCreated: (_, event): Doc | null => {
      const state = evolve(NO_PAYMENT_INTENT, event);
      if (state.status === 'none') return null;
      return {
        merchant_id: event.metadata.merchant_id ?? '',
        mode: event.metadata.mode,
        ...computed(state),
        created: event.metadata.occurred_at,
        origin: event.data.payment_link ?? event.data.invoice,
        received_minor_units: '0',
        received_base_units: '0',
        surplus_base_units: null,
        transfers: [],
        review: null,
        hold: null,
        failure_reason: null,
        canceled_at: null,
        confirmed_at: null,
        first_paid_at: null,
        payer: null,
        remainder_day: null,
        remainder_key: null,
        remainder_until: null,
      };
    },
    MethodSelected: untraced,
    PaymentCanceled: traced((_, { metadata }) => ({ canceled_at: metadata.occurred_at })),
    QuoteExpired: untraced,
    TransferDetected: traced((doc, { data: { transfer_id: id, block_time, from } }, state) => {
      const seen = state.quote === null ? undefined : state.ledger.transfers[id];
      if (!seen) return {};
      return {
        transfers: [...without(doc, id), { ...asRow(seen), status: 'seen' }],
        first_paid_at: doc.first_paid_at ?? block_time,
        payer: doc.payer ?? from,
      };
    }),
    TransferDropped: traced((doc, { data: { transfer_id, reason } }) =>
      goesToQueue(reason) ? { transfers: without(doc, transfer_id) } : gone(doc, transfer_id, reason),
    ),
    TransferMoved: untraced,
    TransferLimitReached: untraced,
    ConfirmationSeen: traced((doc, { data }) => marked(doc, data.transfer_id, 'confirming')),
    PayerScreened: untraced,
    DepthReached: untraced,
    PaymentConfirmed: paid,
    PaymentUnderpaid: traced((_, { metadata }) => ({
      review: { reason: 'underpaid', entered_at: metadata.occurred_at, note: null },
    })),
    PaymentOverpaid: paid,
    RemainderCredited: untraced,
    RemainderReserved: untraced,
    PaidLate: traced((_, { metadata }) => ({
      review: { reason: 'paid_late', entered_at: metadata.occurred_at, note: null },
    })),
    HoldPlaced: traced((_, event) => ({
      hold: { id: holdId(event), placed_at: event.metadata.occurred_at, resolved_at: null },
    })),
    HoldReleased: traced((doc, { metadata }) => resolved(doc, metadata.occurred_at)),
    HoldRejected: traced((doc, { metadata }, { status }) => ({
      ...resolved(doc, metadata.occurred_at),
      failure_reason: status === 'failed' ? 'compliance_rejected' : null,
    })),
    PaymentAccepted: traced(({ review }, { data }) => ({ review: review && { ...review, note: data.note } })),
    ReviewResolved: traced(({ review }, { data }) => ({ review: review && { ...review, note: data.note } })),
    PaymentFailed: traced((doc, { data: { transfer_id, reason } }) => ({
      ...gone(doc, transfer_id, reason),
      failure_reason: reason,
    })),
    SettledTransferLost: traced((doc, { data }) => marked(doc, data.transfer_id, 'reorged')),
  },
};
