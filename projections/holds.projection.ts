import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';
import { holdId } from '../src/modules/payment-intents/payment-intent.holds';
import { holdsReadModel, type HoldDocument } from '../src/modules/payment-intents/holds.read-model';

function resolvedAs(status: 'released' | 'rejected') {
  return (doc: HoldDocument | null, { metadata }: RecordedEvent): HoldDocument | null =>
    doc && { ...doc, status, resolved_at: metadata.occurred_at };
}

export const holdsProjection: Projection<HoldDocument, PaymentIntentEvent> = {
  ...holdsReadModel,
  categories: ['payment_intent'],
  mirrors: false,
  key: streamId,
  on: {
    HoldPlaced: (_, event): HoldDocument => {
      const { data, metadata } = event;
      const { payer, source, reason } = data;
      const whose = { merchant_id: metadata.merchant_id ?? '', mode: metadata.mode, hold: holdId(event) };
      const open = { status: 'open', placed_at: metadata.occurred_at, resolved_at: null } as const;
      return { ...whose, payer, source, reason, ...open };
    },
    HoldReleased: resolvedAs('released'),
    HoldRejected: resolvedAs('rejected'),
  },
};
