import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import {
  addressKey,
  paymentFacetsReadModel,
  type PaymentFacetsDocument,
} from '../src/modules/payment-intents/payment-facets.read-model';
import type { PaymentIntentCreated, PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';

type Doc = PaymentFacetsDocument;

function created({ data, metadata }: RecordedEvent<PaymentIntentCreated>): Doc {
  return {
    merchant_id: metadata.merchant_id ?? '',
    mode: metadata.mode,
    created: metadata.occurred_at,
    token_id: null,
    address_key: null,
    currency: data.currency,
    amount_minor_units: data.amount_minor_units,
    needs_decision: false,
  };
}

const decidable =
  (needs_decision: boolean) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, needs_decision };

/** The runner alone writes these documents, so that no command waits for them. */
export const paymentFacetsProjection: Projection<PaymentFacetsDocument, PaymentIntentEvent> = {
  ...paymentFacetsReadModel,
  categories: ['payment_intent'],
  mirrors: false,
  key: streamId,
  on: {
    PaymentIntentCreated: (_, event) => created(event),
    MethodSelected: (doc, { data }) =>
      doc && { ...doc, token_id: data.token_id, address_key: addressKey(data.address) },
    PaymentUnderpaid: decidable(true),
    PaidLate: decidable(true),
    PaymentAccepted: decidable(false),
    ReviewResolved: decidable(false),
    HoldRejected: decidable(false),
    PaymentConfirmed: decidable(false),
  },
};
