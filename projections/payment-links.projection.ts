import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { PaymentLinkEvent } from '../src/modules/payment-links/payment-link.events';
import { paymentLinksReadModel, type PaymentLinkDocument } from '../src/modules/payment-links/payment-links.read-model';

/** Each event tells the whole link. */
const restated = (_: PaymentLinkDocument | null, { data, metadata }: RecordedEvent<PaymentLinkEvent>) => ({
  merchant_id: metadata.merchant_id ?? '',
  mode: metadata.mode,
  created: data.link.created_at,
  active: data.link.deactivated_at === null,
  link: data.link,
});

export const paymentLinksProjection: Projection<PaymentLinkDocument, PaymentLinkEvent> = {
  ...paymentLinksReadModel,
  categories: ['payment_link'],
  mirrors: true,
  key: streamId,
  on: { PaymentLinkCreated: restated, PaymentLinkUsed: restated, PaymentLinkDeactivated: restated },
};
