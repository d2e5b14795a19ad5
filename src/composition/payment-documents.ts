import type { RecordedEvent } from '../kernel/event';
import { applyEvents } from '../kernel/projection';
import type { Document } from '../kernel/ports/documents';
import type { PaymentIntentDocument } from '../modules/payment-intents/payment-intents.read-model';
import { paymentIntentsProjection } from '../../projections/payment-intents.projection';

/** The payment's document after each event of its history. Each event is folded once. */
export function paymentDocumentsAfter(history: readonly RecordedEvent[]): readonly PaymentIntentDocument[] {
  const documents: PaymentIntentDocument[] = [];
  let standing: Document<PaymentIntentDocument> | null = null;
  for (const event of history) {
    const before: Document<PaymentIntentDocument> | null = standing;
    const [change] = applyEvents(paymentIntentsProjection, [event], () => before).values();
    if (change?.body) standing = { id: change.id, version: change.version, body: change.body };
    if (standing) documents.push(standing.body);
  }
  return documents;
}
