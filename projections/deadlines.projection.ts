import { isoTime, parseIsoTime } from '../src/kernel/clock';
import { parseStreamName, type DomainEvent, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import { isNetworkId, type NetworkId } from '../src/kernel/tokens';
import type { AmountReserved } from '../src/modules/amount-slots/amount-slot.events';
import {
  deadlinesReadModel,
  type DeadlineKind,
  type DeadlineDocument,
  clockOf,
} from '../src/modules/payment-intents/deadlines.read-model';
import type { MethodSelected } from '../src/modules/payment-intents/payment-intent.events';

type On<E extends DomainEvent> = RecordedEvent<E>;

function due(
  { stream, metadata }: RecordedEvent,
  kind: DeadlineKind,
  dueAt: string,
  networkId: NetworkId | null,
): DeadlineDocument {
  const { universe, id } = parseStreamName(stream);
  const { merchant_id: merchantId } = metadata;
  return {
    clock: universe === 'test' && merchantId !== null ? clockOf(merchantId) : universe,
    kind,
    due_at: dueAt,
    wall_due_at: universe === 'test' ? isoTime(parseIsoTime(dueAt) - aheadMs(metadata)) : dueAt,
    network_id: networkId,
    mode: universe,
    subject: id,
    merchant_id: merchantId,
  };
}

/** A merchant's clock is never behind the wall's: where it seems to be, the writing took that long. */
function aheadMs({ occurred_at, recorded_at }: RecordedEvent['metadata']): number {
  return Math.max(0, parseIsoTime(occurred_at) - parseIsoTime(recorded_at));
}

/** An amount's stream is `{network}:{address}:{token}:{slot}`. */
function networkOfSlot({ stream }: RecordedEvent): NetworkId | null {
  const [network = ''] = parseStreamName(stream).id.split(':');
  return isNetworkId(network) ? network : null;
}

const met = (): null => null;

export const deadlinesProjection: Projection<DeadlineDocument> = {
  ...deadlinesReadModel,
  categories: ['payment_intent', 'amount_slot'],
  mirrors: false,
  key: event => event.stream,
  on: {
    MethodSelected: (_, event: On<MethodSelected>) =>
      due(event, 'quote', event.data.quote_expires_at, event.data.network_id),
    TransferDetected: met,
    PaymentCanceled: met,
    QuoteExpired: met,
    AmountReserved: (_, event: On<AmountReserved>) =>
      due(event, 'reservation', event.data.reserved_until, networkOfSlot(event)),
    AmountReleased: met,
  },
};
