import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection, type ProjectionHandler } from '../src/kernel/projection';
import { transferId, transferKeyOf } from '../src/modules/transfers/transfer.decider';
import type { TransferEvent } from '../src/modules/transfers/transfer.events';
import {
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../src/modules/transfers/unmatched-transfers.read-model';

type Doc = UnmatchedTransferDocument;

function change<Event extends TransferEvent>(
  handler: (doc: Doc, event: RecordedEvent<Event>) => Partial<Doc>,
): ProjectionHandler<Doc, Event> {
  return (doc, event) => {
    if (doc === null) return null;
    const next = { ...doc, ...handler(doc, event), recorded_at: event.metadata.recorded_at };
    return { ...next, open: next.status === 'unmatched' || next.status === 'attribution_failed' };
  };
}

export const unmatchedTransfersProjection: Projection<UnmatchedTransferDocument, TransferEvent> = {
  ...unmatchedTransfersReadModel,
  categories: ['transfer'],
  mirrors: true,
  key: event => transferId(transferKeyOf(streamId(event))),
  on: {
    TransferSeen: (doc, event): Doc => {
      const { network, txHash, ordinal } = transferKeyOf(parseStreamName(event.stream).id);
      const { to: address, ...seen } = event.data;
      return {
        mode: event.metadata.mode,
        network_id: network,
        tx_hash: txHash,
        ordinal,
        address,
        ...seen,
        open: false,
        status: 'seen',
        reason: null,
        payment_intent: doc?.payment_intent ?? null,
        set_aside: null,
        candidates: [],
        created: doc?.created ?? null,
        left_at: null,
        recorded_at: event.metadata.recorded_at,
      };
    },
    TransferClaimed: change((_, { data }) => ({
      status: 'attributed',
      reason: null,
      payment_intent: data.payment_intent,
    })),
    TransferCommitted: change(() => ({})),
    TransferUnmatched: change((doc, { data, metadata }) => ({
      status: 'unmatched',
      reason: data.reason,
      payment_intent: null,
      created: doc.created ?? metadata.occurred_at,
    })),
    CandidatesRanked: change((_, { data }) => ({ candidates: data.candidates })),
    TransferResolved: change((_, { data }) => ({
      status: 'attributed',
      reason: null,
      payment_intent: data.payment_intent,
    })),
    AttributionFailed: change(() => ({ status: 'attribution_failed' })),
    TransferSetAside: change((_, { data }) => ({
      status: 'set_aside',
      payment_intent: null,
      set_aside: data,
    })),
    TransferReopened: change(() => ({
      status: 'unmatched',
      reason: 'reopened',
      payment_intent: null,
      set_aside: null,
    })),
    TransferReorgedOut: change((_, { metadata }) => ({
      status: 'reorged_out',
      payment_intent: null,
      left_at: metadata.occurred_at,
    })),
  },
};
