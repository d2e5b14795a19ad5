import type { ReadModel } from '../../kernel/ports/read-models';

/** A payment that waits for a decision: of its merchant, in a review, or of compliance, under a hold. */
export type WaitingPaymentDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  /** The reason of the open review; null without one. */
  readonly review: 'underpaid' | 'paid_late' | null;
  readonly is_held: boolean;
};

/** Payments with an open review or an open hold; a payment with neither has no document. */
export const waitingPaymentsReadModel: ReadModel<WaitingPaymentDocument> = {
  name: 'waiting_payments',
  version: 3,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'id'],
    by_review: ['merchant_id', 'mode', 'review', 'id'],
    by_id: ['id'],
    by_hold: ['merchant_id', 'mode', 'is_held', 'id'],
  },
};
