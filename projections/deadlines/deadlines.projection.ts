import { isoTime, parseIsoTime } from '../../src/kernel/clock';
import { parseStreamName, type DomainEvent, type RecordedEvent } from '../../src/kernel/event';
import type { Projection } from '../../src/kernel/projection';
import { isNetworkId, type NetworkId } from '../../src/kernel/tokens';
import type { AmountReserved } from '../../src/modules/amount-slots/amount-slot.events';
import type { MethodSelected } from '../../src/modules/payment-intents/payment-intent.events';

export const DEADLINE_KINDS = ['quote', 'reservation'] as const;
export type DeadlineKind = (typeof DEADLINE_KINDS)[number];

export type DeadlineDocument = {
  /** Whose time counts: `live`, or `test:{merchant}`. */
  readonly clock: string;
  readonly kind: DeadlineKind;
  /** By that clock. */
  readonly due_at: string;
  /**
   * By the wall's, as that clock stood when the deadline was set. If it was advanced since, the deadline comes earlier
   * than this says.
   */
  readonly wall_due_at: string;
  /** Whose coverage it waits for; null when for none. */
  readonly network_id: NetworkId | null;
  readonly mode: string;
  /** Id of the stream that waits. */
  readonly subject: string;
  readonly merchant_id: string | null;
};

type On<E extends DomainEvent> = RecordedEvent<E>;

/** The clock of a merchant's deadlines in test mode. */
export function clockOf(merchantId: string): string {
  return `test:${merchantId}`;
}

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

/** What is waited for, one deadline a stream, in the order in which it falls due by its clock and by the wall's. */
export const deadlinesProjection: Projection<DeadlineDocument> = {
  name: 'deadlines',
  version: 3,
  categories: ['payment_intent', 'amount_slot'],
  mirrors: false,
  key: event => event.stream,
  indexes: {
    by_wall: ['mode', 'kind', 'network_id', 'wall_due_at', 'id'],
    by_clock: ['clock', 'kind', 'network_id', 'due_at', 'id'],
  },
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
