import { faultOf, linkOf, NO_LINK } from '../../src/cli/hash-chain-check';
import type { RecordedEvent } from '../../src/kernel/event';

/** The first event of a whole stream that the audit finds at fault; null where the hash chain holds. */
export function firstBrokenLink(events: readonly RecordedEvent[]): RecordedEvent | null {
  let previous = NO_LINK;
  for (const event of events) {
    if (faultOf(event, previous)) return event;
    previous = linkOf(event);
  }
  return null;
}
