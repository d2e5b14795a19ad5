import type { ReadModel } from '../../kernel/ports/read-models';
import type { Naming } from './naming.decider';
import type { ReviewReason } from './naming.events';
import type { TransactionReference } from './transaction-reference';

/** Every naming that somebody filed, found by its payment. */
export type NamingDocument = {
  readonly mode: string;
  readonly merchant_id: string | null;
  readonly payment_intent: string;
  /** Id of the stream that holds all namings on the same transaction. */
  readonly namings_id: string;
  readonly status: Naming['status'];
  readonly filed_at: string;
  readonly kind: TransactionReference['kind'];
  /** The hash, or an exchange's own number. */
  readonly reference: string;
  readonly log_index: number | null;
  readonly reason: ReviewReason | null;
  readonly transfer_id: string | null;
  /** Null for a transfer that no chain will ever show. */
  readonly expires_at: string | null;
};

export const namingsReadModel: ReadModel<NamingDocument> = {
  name: 'namings',
  version: 3,
  indexes: {
    by_payment: ['mode', 'payment_intent', 'status', 'filed_at', 'id'],
    by_payment_time: ['mode', 'payment_intent', 'filed_at', 'id'],
    by_filing: ['status', 'filed_at', 'id'],
    by_merchant: ['mode', 'merchant_id', 'filed_at', 'id'],
    by_merchant_status: ['mode', 'merchant_id', 'status', 'filed_at', 'id'],
  },
};
