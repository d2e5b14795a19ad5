import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import { deadlineClock, wallTime } from '../src/kernel/merchant-clocks';
import type { Projection } from '../src/kernel/projection';
import { isNetworkId, type NetworkId } from '../src/vocabulary/networks';
import type { AmountSlotEvent } from '../src/modules/amount-slots/amount-slot.events';
import {
  deadlinesReadModel,
  type DeadlineDocument,
  type DeadlineKind,
} from '../src/modules/payment-intents/deadlines.read-model';
import type { PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';

function due(
  { stream, metadata }: RecordedEvent,
  kind: DeadlineKind,
  dueAt: string,
  networkId: NetworkId | null,
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
    MethodSelected: (_, event) => due(event, 'quote', event.data.quote_expires_at, event.data.network_id),
    TransferDetected: met,
    PaymentCanceled: met,
    QuoteExpired: met,
    AmountReserved: (_, event) => due(event, 'reservation', event.data.reserved_until, networkOfSlot(event)),
    AmountReleased: met,
  },
};
