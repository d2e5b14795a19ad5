import type { RecordedEvent } from '../../src/kernel/event';
import type { LogPosition } from '../../src/kernel/log-position';

/**
 * Events before the checkpoint that are taken once more. A runner beside this one may put back a document that another,
 * farther one has removed, and be killed then. The events taken once more remove the document again. The number is
 * twice the events of one page of a subscription.
 */
const TAKEN_AGAIN = 1_024;
/** Events between two remembered positions, so that small batches do not make the trail long. */
const STRIDE = 64;

type Step = { readonly end: LogPosition; readonly taken: number };

/**
 * Positions of events that a loop was given. The one to restart from lies TAKEN_AGAIN events or more behind the last. A
 * batch may end at an event of the log server's own, which a scavenge removes; no position here is such an event's.
 */
export class RestartTrail {
  private readonly steps: Step[];
  private taken = 0;

  constructor(start: LogPosition) {
    this.steps = [{ end: start, taken: 0 }];
  }

  took(events: readonly RecordedEvent[]): void {
    const end = events.at(-1)?.position;
    if (end === undefined) return;
    this.taken += events.length;
    const last = this.steps.at(-1) as Step;
    if (this.taken >= last.taken + STRIDE) this.steps.push({ end, taken: this.taken });
    while (this.taken - (this.steps[1]?.taken ?? Infinity) >= TAKEN_AGAIN) this.steps.shift();
  }

  get restartFrom(): LogPosition {
    return (this.steps[0] as Step).end;
  }
}
