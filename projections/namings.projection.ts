import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { namingIdOf } from '../src/modules/transfers/naming.decider';
import type { ExchangeTransferNamed, NamingEvent, TransactionNamed } from '../src/modules/transfers/naming.events';
import { namingsReadModel, type NamingDocument } from '../src/modules/transfers/namings.read-model';

type Doc = NamingDocument;

const filed =
  (status: Doc['status']) =>
  (_: Doc | null, event: RecordedEvent<TransactionNamed | ExchangeTransferNamed>): Doc => ({
    mode: event.metadata.mode,
    merchant_id: event.metadata.merchant_id,
    payment_intent: event.data.payment_intent,
    namings_id: streamId(event),
    status,
    filed_at: event.metadata.occurred_at,
  });

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const namingsProjection: Projection<NamingDocument, NamingEvent> = {
  ...namingsReadModel,
  categories: ['naming'],
  mirrors: true,
  key: event => namingIdOf(streamId(event), event.data.payment_intent),
  on: {
    TransactionNamed: filed('pending'),
    ExchangeTransferNamed: filed('in_review'),
    NamingKept: withStatus('in_review'),
    NamingReferred: withStatus('in_review'),
    NamingAttributed: withStatus('attributed'),
    NamingRefused: withStatus('refused'),
  },
};
