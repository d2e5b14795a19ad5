import type { ReadModel } from '../../kernel/ports/read-models';
import type { Naming } from './naming.decider';

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

export const namingsReadModel: ReadModel<NamingDocument> = {
  name: 'namings',
  version: 2,
  indexes: {
    by_payment: ['mode', 'payment_intent', 'status', 'filed_at', 'id'],
    by_filing: ['status', 'filed_at', 'id'],
  },
};
