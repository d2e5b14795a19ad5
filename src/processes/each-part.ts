import { outageOf } from '../kernel/outage';
import type { GroupMessage } from '../kernel/ports/event-store';

type Handler = (message: GroupMessage) => Promise<void>;

/**
 * Hands a message to several parts at once, since each group of its own costs every payment a message. One part's fault
 * stops no other part. Each part is safe to run again, so a message that one part could not handle comes to all parts.
 */
export function eachPart(handlers: readonly Handler[]): Handler {
  return async message => {
    const outcomes = await Promise.allSettled(handlers.map(async handle => handle(message)));
    const faults = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (faults.length === 0) return;
    // An outage counts as no failure of the message: a part that met one must not be given up for another part's fault.
    throw faults.find(fault => outageOf(fault) !== null) ?? faults[0];
  };
}
