import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import { transactionClaimId, type TransactionClaim } from '../../src/modules/transfers/transaction-claim.decider';
import type { TransactionClaimEvent } from '../../src/modules/transfers/transaction-claim.events';

/** Every claim that somebody filed, found by its payment. */
export type TransactionClaimDocument = {
  readonly mode: string;
  readonly merchant_id: string | null;
  readonly payment_intent: string;
  /** Id of the stream that holds all claims on the same transaction. */
  readonly claims_id: string;
  readonly status: TransactionClaim['status'];
  readonly filed_at: string;
};

type Doc = TransactionClaimDocument;
type On<T extends TransactionClaimEvent['type']> = RecordedEvent<Extract<TransactionClaimEvent, { readonly type: T }>>;

const filed =
  (status: Doc['status']) =>
  (_: Doc | null, event: On<'TransactionClaimFiled' | 'ExchangeTransferFiled'>): Doc => ({
    mode: event.metadata.mode,
    merchant_id: event.metadata.merchant_id,
    payment_intent: event.data.payment_intent,
    claims_id: streamId(event),
    status,
    filed_at: event.metadata.occurred_at,
  });

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const transactionClaimsProjection: Projection<TransactionClaimDocument> = {
  name: 'transaction_claims',
  version: 2,
  categories: ['transaction_claim'],
  mirrors: true,
  key: event =>
    transactionClaimId(streamId(event), (event as RecordedEvent<TransactionClaimEvent>).data.payment_intent),
  indexes: {
    by_payment: ['mode', 'payment_intent', 'status', 'filed_at', 'id'],
    by_filing: ['status', 'filed_at', 'id'],
  },
  on: {
    TransactionClaimFiled: filed('pending'),
    ExchangeTransferFiled: filed('in_review'),
    TransactionClaimKept: withStatus('in_review'),
    TransactionClaimReferred: withStatus('in_review'),
    TransactionClaimAttributed: withStatus('attributed'),
    TransactionClaimRefused: withStatus('refused'),
  },
};
