import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';
import {
  waitingPaymentsReadModel,
  type WaitingPaymentDocument,
} from '../src/modules/payment-intents/waiting-payments.read-model';

type Doc = WaitingPaymentDocument;
type Waits = Partial<Pick<Doc, 'review' | 'is_held'>>;

function waiting(waits: Waits) {
  return (doc: Doc | null, { metadata }: RecordedEvent): Doc | null => {
    const unwaiting = { merchant_id: metadata.merchant_id ?? '', mode: metadata.mode, review: null, is_held: false };
    const next = { ...(doc ?? unwaiting), ...waits };
    return next.review === null && !next.is_held ? null : next;
  };
}

/** No payment comes back into review once it was decided, or once it is paid. */
export const waitingPaymentsProjection: Projection<Doc, PaymentIntentEvent> = {
  ...waitingPaymentsReadModel,
  categories: ['payment_intent'],
  mirrors: false,
  key: streamId,
  on: {
    PaymentUnderpaid: waiting({ review: 'underpaid' }),
    PaidLate: waiting({ review: 'paid_late' }),
    ReviewResolved: waiting({ review: null }),
    PaymentConfirmed: waiting({ review: null }),
    HoldPlaced: waiting({ is_held: true }),
    HoldReleased: waiting({ is_held: false }),
    HoldRejected: waiting({ is_held: false }),
    PaymentFailed: waiting({ review: null, is_held: false }),
  },
};
