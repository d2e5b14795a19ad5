import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { namingIdOf, referenceOf } from '../src/modules/transfers/naming.decider';
import type { ExchangeTransferNamed, NamingEvent, TransactionNamed } from '../src/modules/transfers/naming.events';
import { namingsReadModel, type NamingDocument } from '../src/modules/transfers/namings.read-model';

type Doc = NamingDocument;

function filed(
  event: RecordedEvent<TransactionNamed | ExchangeTransferNamed>,
  facts: Pick<Doc, 'status' | 'log_index' | 'expires_at'>,
): Doc {
  return {
    mode: event.metadata.mode,
    merchant_id: event.metadata.merchant_id,
    payment_intent: event.data.payment_intent,
    namings_id: streamId(event),
    filed_at: event.metadata.occurred_at,
    ...referenceOf(streamId(event)),
    reason: null,
    transfer_id: null,
    ...facts,
  };
}

export const namingsProjection: Projection<NamingDocument, NamingEvent> = {
  ...namingsReadModel,
  categories: ['naming'],
  mirrors: true,
  key: event => namingIdOf(streamId(event), event.data.payment_intent),
  on: {
    TransactionNamed: (_, event) => {
      const { log_index, expires_at } = event.data;
      return filed(event, { status: 'pending', log_index, expires_at });
    },
    ExchangeTransferNamed: (_, event) => filed(event, { status: 'in_review', log_index: null, expires_at: null }),
    NamingKept: (doc, { data: { transfer_id, reason } }) => doc && { ...doc, status: 'in_review', transfer_id, reason },
    NamingReferred: (doc, { data: { reason } }) => doc && { ...doc, status: 'in_review', reason },
    NamingAttributed: (doc, { data: { transfer_id } }) =>
      doc && { ...doc, status: 'attributed', transfer_id, reason: null },
    NamingRefused: doc => doc && { ...doc, status: 'refused' },
    NamingResolved: (doc, { data: { outcome, transfer_id } }) =>
      doc && { ...doc, status: outcome, transfer_id, reason: null },
  },
};
