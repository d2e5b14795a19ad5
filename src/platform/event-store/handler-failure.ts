import type { RecordedEvent } from '../../kernel/event';
import { outageOf, type Outage } from '../../kernel/outage';
import { MAX_DELIVERIES } from '../../kernel/ports/event-store';

/**
 * `retried`: counted, and tried again soon; `held`: not counted, and tried again until what was away is back; `parked`:
 * until an operator replays it.
 */
export type Fate = 'retried' | 'held' | 'parked';

export type HandlerFailure = {
  readonly fate: Fate;
  /** Of this message with this one, outages left out. */
  readonly failures: number;
  readonly outage: Outage | null;
};

/** The group's name, the event, the error, and what becomes of the message. */
export type OnHandlerError = (name: string, event: RecordedEvent, error: unknown, fate: Fate) => void;

/** An outage says nothing of the message, so however long it lasts it brings no message nearer to being parked. */
export function judge(error: unknown, failuresBefore: number): HandlerFailure {
  const outage = outageOf(error);
  if (outage !== null) return { fate: 'held', failures: failuresBefore, outage };
  const failures = failuresBefore + 1;
  return { fate: failures >= MAX_DELIVERIES ? 'parked' : 'retried', failures, outage };
}
