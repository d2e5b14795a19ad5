import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection, type ProjectionHandler } from '../src/kernel/projection';
import type { PaymentIntentEvent, Received } from '../src/modules/payment-intents/payment-intent.events';
import { receivedAmounts } from '../src/modules/payment-intents/payment-intent.outcome';
import { destination, type Status } from '../src/modules/payment-intents/payment-intent.transitions';
import {
  paymentIntentsReadModel,
  type PaymentIntentDocument,
  type TransferRow,
} from '../src/modules/payment-intents/payment-intents.read-model';

type Doc = PaymentIntentDocument;

/** A handler of every event but the first; the status moves by the one transition table. */
function change<Event extends PaymentIntentEvent>(
  handler: (doc: Doc, event: RecordedEvent<Event>, at: string) => Partial<Doc>,
): ProjectionHandler<Doc, Event> {
  return (doc, event) => {
    if (doc === null) return null;
    const moved = { ...doc, status: destination(doc.status, event.type) ?? doc.status };
    const next = { ...moved, ...handler(moved, event, event.metadata.occurred_at) };
    return { ...next, followed: isFollowed(next), settled_block: settledBlock(next) };
  };
}

const SETTLED: readonly Status[] = ['confirmed', 'overpaid', 'underpaid', 'paid_late'];

/**
 * Whatever the payment's status: one that is held, or failed by a rejection, must not go on showing what has left the
 * chain.
 */
function settledBlock({ transfers }: Doc): number | null {
  const blocks = transfers.filter(row => row.status === 'credited').map(row => row.block_number);
  return blocks.length > 0 ? Math.max(...blocks) : null;
}

function isFollowed(doc: Doc): boolean {
  if (doc.status === 'detected' || doc.status === 'confirming') return true;
  if (doc.status === 'underpaid' && doc.remainder === null && doc.hold?.status !== 'rejected') return true;
  if (isHeldTooLittle(doc)) return true;
  return doc.transfers.some(transfer => transfer.status === 'seen' || transfer.status === 'confirming');
}

/** In review nobody else looks at its payers: who died between a screening and its hold has left it unheld. */
function isHeldTooLittle({ status, hold, transfers, risks }: Doc): boolean {
  if (status !== 'underpaid' && status !== 'paid_late') return false;
  if (hold?.status === 'open' || hold?.status === 'rejected') return false;
  return transfers.some(row => row.status === 'credited' && risks.includes(row.from));
}

function marked(doc: Doc, transferId: string, status: TransferRow['status']): Pick<Doc, 'transfers'> {
  return { transfers: doc.transfers.map(row => (row.transfer_id === transferId ? { ...row, status } : row)) };
}

/**
 * In review, the received amount follows the chain. A credited transfer that has gone is taken off, and the remainder
 * is then more than was asked for.
 */
function withoutCredit(doc: Doc, transferId: string): Partial<Doc> {
  const row = doc.transfers.find(({ transfer_id, status }) => transfer_id === transferId && status === 'credited');
  if (!row || doc.quote === null || !SETTLED.includes(doc.status)) return {};
  const left = BigInt(doc.received_base_units) - BigInt(row.value_base_units);
  return { ...receivedAmounts({ terms: doc, quote: doc.quote }, left < 0n ? 0n : left), remainder: null };
}

function received({ received_base_units, received_minor_units }: Received): Received {
  return { received_base_units, received_minor_units };
}

export const paymentIntentsProjection: Projection<PaymentIntentDocument, PaymentIntentEvent> = {
  ...paymentIntentsReadModel,
  categories: ['payment_intent'],
  mirrors: true,
  key: streamId,
  on: {
    PaymentIntentCreated: (_, { data, metadata }): Doc => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      status: 'created',
      network_id: null,
      followed: false,
      settled_block: null,
      amount_minor_units: data.amount_minor_units,
      currency: data.currency,
      currency_decimals: data.currency_decimals,
      received_minor_units: '0',
      received_base_units: '0',
      surplus_base_units: null,
      metadata: data.metadata,
      description: data.description,
      success_url: data.success_url,
      quote: null,
      transfers: [],
      remainder: null,
      review: null,
      hold: null,
      risks: [],
      failure_reason: null,
      created: metadata.occurred_at,
      canceled_at: null,
      confirmed_at: null,
    }),
    MethodSelected: change((_, { data }) => ({ quote: data, network_id: data.network_id })),
    PaymentCanceled: change((_, __, at) => ({ canceled_at: at })),
    QuoteExpired: change(() => ({})),
    TransferDetected: change((doc, { data }) => ({
      ...withoutCredit(doc, data.transfer_id),
      transfers: [...doc.transfers.filter(row => row.transfer_id !== data.transfer_id), { ...data, status: 'seen' }],
    })),
    TransferDropped: change((doc, { data }) => ({
      ...withoutCredit(doc, data.transfer_id),
      ...(data.reason === 'surplus'
        ? { transfers: doc.transfers.filter(row => row.transfer_id !== data.transfer_id) }
        : marked(doc, data.transfer_id, data.reason === 'reorged_out' ? 'reorged' : 'failed')),
    })),
    TransferMoved: change((doc, { data }) => ({
      transfers: doc.transfers.map(row => (row.transfer_id === data.transfer_id ? { ...row, ...data } : row)),
    })),
    TransferLimitReached: change(() => ({})),
    ConfirmationSeen: change((doc, { data }) => marked(doc, data.transfer_id, 'confirming')),
    PayerScreened: change((doc, { data }) => ({
      risks: data.verdict === 'high_risk' ? [...new Set([...doc.risks, data.payer])] : doc.risks,
    })),
    DepthReached: change((doc, { data }) => marked(doc, data.transfer_id, 'credited')),
    PaymentConfirmed: change((_, { data }, at) => ({
      ...received(data),
      remainder: null,
      confirmed_at: at,
    })),
    PaymentUnderpaid: change((_, { data }, at) => ({
      ...received(data),
      remainder: data.remainder,
      review: { reason: 'underpaid', entered_at: at, resolution: null, note: null },
    })),
    PaymentOverpaid: change((_, { data }, at) => ({
      ...received(data),
      surplus_base_units: data.surplus_base_units,
      confirmed_at: at,
    })),
    RemainderCredited: change((doc, { data }) => ({
      ...received(data),
      ...marked(doc, data.transfer_id, 'credited'),
    })),
    RemainderReserved: change((_, { data }) => ({ remainder: data })),
    PaidLate: change((doc, { data }, at) => ({
      ...received(data),
      ...marked(doc, data.transfer_id, 'credited'),
      review: { reason: 'paid_late', entered_at: at, resolution: null, note: null },
    })),
    HoldPlaced: change((doc, { data }, at) => ({
      hold: { status: 'open', placed_at: at },
      risks: doc.risks.filter(payer => payer !== data.payer),
    })),
    HoldReleased: change(doc => ({ hold: doc.hold && { ...doc.hold, status: 'released' } })),
    HoldRejected: change(doc => ({
      hold: doc.hold && { ...doc.hold, status: 'rejected' },
      remainder: null,
      failure_reason: doc.status === 'failed' ? 'compliance_rejected' : null,
    })),
    PaymentAccepted: change((doc, { data }) => ({
      review: doc.review && { ...doc.review, resolution: 'accepted', note: data.note },
    })),
    ReviewResolved: change((doc, { data }) => ({
      review: doc.review && { ...doc.review, resolution: data.resolution, note: data.note },
    })),
    PaymentFailed: change((doc, { data }) => ({
      ...marked(doc, data.transfer_id, data.reason === 'reorged_out' ? 'reorged' : 'failed'),
      failure_reason: data.reason,
    })),
    SettledTransferLost: change((doc, { data }) => marked(doc, data.transfer_id, 'reorged')),
  },
};
