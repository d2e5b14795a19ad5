import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import { deadlineClock, wallTime } from '../src/kernel/merchant-clocks';
import { streamId, type Projection } from '../src/kernel/projection';
import { isNetworkId, type NetworkId } from '../src/vocabulary/networks';
import type { AmountSlotEvent } from '../src/modules/amount-slots/amount-slot.events';
import {
  deadlinesReadModel,
  type DeadlineDocument,
  type DeadlineKind,
} from '../src/modules/payment-intents/deadlines.read-model';
import type { PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';

type Deadline = {
  readonly kind: DeadlineKind;
  readonly dueAt: string;
  readonly networkId: NetworkId | null;
  readonly paymentIntent: string;
};

function due(
  { stream, metadata }: RecordedEvent,
  { kind, dueAt, networkId, paymentIntent }: Deadline,
): DeadlineDocument {
  const { universe, id } = parseStreamName(stream);
  const { merchant_id: merchantId } = metadata;
  return {
    clock: deadlineClock(universe, merchantId),
    kind,
    due_at: dueAt,
    wall_due_at: wallTime(dueAt, metadata),
    network_id: networkId,
    mode: universe,
    subject: id,
    payment_intent: paymentIntent,
    merchant_id: merchantId,
  };
}

/** An amount's stream is `{network}:{address}:{token}:{slot}`. */
function networkOfSlot({ stream }: RecordedEvent): NetworkId | null {
  const [network = ''] = parseStreamName(stream).id.split(':');
  return isNetworkId(network) ? network : null;
}

const met = (): null => null;

export const deadlinesProjection: Projection<DeadlineDocument, PaymentIntentEvent | AmountSlotEvent> = {
  ...deadlinesReadModel,
  categories: ['payment_intent', 'amount_slot'],
  mirrors: false,
  key: event => event.stream,
  on: {
    MethodSelected: (_, event) => {
      const { quote_expires_at: dueAt, network_id: networkId } = event.data;
      return due(event, { kind: 'quote', dueAt, networkId, paymentIntent: streamId(event) });
    },
    TransferDetected: met,
    PaymentCanceled: met,
    QuoteExpired: met,
    AmountReserved: (_, event) => {
      const { reserved_until: dueAt, payment_intent: paymentIntent } = event.data;
      return due(event, { kind: 'reservation', dueAt, networkId: networkOfSlot(event), paymentIntent });
    },
    AmountReleased: met,
  },
};
