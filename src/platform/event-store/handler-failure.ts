import type { RecordedEvent } from '../../kernel/event';
import { outageOf, type Outage } from '../../kernel/outage';
import { MAX_DELIVERIES } from '../../kernel/ports/event-store';
import type { Log } from '../../kernel/ports/log';

/**
 * `retried`: counted, and tried again soon. `held`: not counted, and tried again until the outage is over. `parked`:
 * kept until an operator replays it.
 */
export type Fate = 'retried' | 'held' | 'parked';

export type HandlerFailure = {
  readonly fate: Fate;
  /** Failures of this message including this one, without outages. */
  readonly failures: number;
  readonly outage: Outage | null;
};

/** The group's name, the event, the error, and the fate of the message. */
export type OnHandlerError = (name: string, event: RecordedEvent, error: unknown, fate: Fate) => void;

export function loggedFailures(log: Log): OnHandlerError {
  return (group, { id, type }, err, fate) => {
    const facts = { group, event: id, type, err };
    if (fate === 'parked') log.error(facts, 'handler failed to the last: the message is parked until it is replayed');
    else if (fate === 'held') log.warn(facts, 'handler met an outage: the message is held until it is over');
    else log.error(facts, 'handler failed: the message comes again');
  };
}

/** An outage proves nothing about the message, so even a long one brings no message nearer to being parked. */
export function judge(error: unknown, failuresBefore: number): HandlerFailure {
  const outage = outageOf(error);
  if (outage !== null) return { fate: 'held', failures: failuresBefore, outage };
  const failures = failuresBefore + 1;
  return { fate: failures >= MAX_DELIVERIES ? 'parked' : 'retried', failures, outage };
}
