import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import { namingIdOf, type Naming } from '../../src/modules/transfers/naming.decider';
import type { NamingEvent } from '../../src/modules/transfers/naming.events';

/** Every naming that somebody filed, found by its payment. */
export type NamingDocument = {
  readonly mode: string;
  readonly merchant_id: string | null;
  readonly payment_intent: string;
  /** Id of the stream that holds all namings on the same transaction. */
  readonly namings_id: string;
  readonly status: Naming['status'];
  readonly filed_at: string;
};

type Doc = NamingDocument;
type On<T extends NamingEvent['type']> = RecordedEvent<Extract<NamingEvent, { readonly type: T }>>;

const filed =
  (status: Doc['status']) =>
  (_: Doc | null, event: On<'TransactionNamed' | 'ExchangeTransferNamed'>): Doc => ({
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

export const namingsProjection: Projection<NamingDocument> = {
  name: 'namings',
  version: 2,
  categories: ['naming'],
  mirrors: true,
  key: event => namingIdOf(streamId(event), (event as RecordedEvent<NamingEvent>).data.payment_intent),
  indexes: {
    by_payment: ['mode', 'payment_intent', 'status', 'filed_at', 'id'],
    by_filing: ['status', 'filed_at', 'id'],
  },
  on: {
    TransactionNamed: filed('pending'),
    ExchangeTransferNamed: filed('in_review'),
    NamingKept: withStatus('in_review'),
    NamingReferred: withStatus('in_review'),
    NamingAttributed: withStatus('attributed'),
    NamingRefused: withStatus('refused'),
  },
};
