import { isoTime, MINUTE_MS, parseIsoTime } from '../../src/kernel/clock';
import { parseStreamName, type DomainEvent, type RecordedEvent } from '../../src/kernel/event';
import type { Projection } from '../../src/kernel/projection';
import type { AmountReserved } from '../../src/modules/amount-slots/amount-slot.events';
import type { MethodSelected } from '../../src/modules/payment-intents/payment-intent.events';
import type { DeliveryAttemptFailed, DeliveryScheduled } from '../../src/modules/webhooks/webhook-delivery.events';

export type DeadlineDocument = {
  /** Whose time counts: the mode's. */
  readonly clock: string;
  readonly kind: 'quote' | 'reservation' | 'delivery';
  readonly due_at: string;
  readonly mode: string;
  /** Id of the stream that waits. */
  readonly subject: string;
  readonly merchant_id: string | null;
};

type On<E extends DomainEvent> = RecordedEvent<E>;

/** The first attempt is made at once, by the group; this is for the one that its group gave up. */
const FIRST_ATTEMPT_GRACE_MS = 5 * MINUTE_MS;

function due(event: RecordedEvent, kind: DeadlineDocument['kind'], dueAt: string): DeadlineDocument {
  const { universe, id } = parseStreamName(event.stream);
  const merchantId = event.metadata.merchant_id;
  return { clock: universe, kind, due_at: dueAt, mode: universe, subject: id, merchant_id: merchantId };
}

const met = (): null => null;

/** What is waited for, one deadline a stream, in the order in which it falls due. */
export const deadlinesProjection: Projection<DeadlineDocument> = {
  name: 'deadlines',
  version: 1,
  mirrors: null,
  key: event => event.stream,
  indexes: { by_due: ['clock', 'kind', 'due_at', 'id'] },
  on: {
    MethodSelected: (_, event: On<MethodSelected>) => due(event, 'quote', event.data.quote_expires_at),
    TransferDetected: met,
    PaymentCanceled: met,
    QuoteExpired: met,
    AmountReserved: (_, event: On<AmountReserved>) => due(event, 'reservation', event.data.reserved_until),
    AmountReleased: met,
    DeliveryScheduled: (_, event: On<DeliveryScheduled>) =>
      due(event, 'delivery', isoTime(parseIsoTime(event.metadata.occurred_at) + FIRST_ATTEMPT_GRACE_MS)),
    DeliveryAttemptFailed: (_, event: On<DeliveryAttemptFailed>) =>
      event.data.next_attempt_at === null ? null : due(event, 'delivery', event.data.next_attempt_at),
    DeliverySucceeded: met,
  },
};
