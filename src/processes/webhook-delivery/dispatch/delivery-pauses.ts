import { BoundedMap } from '../../../kernel/bounded-map';
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock';

const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = MINUTE_MS;
/** Beyond this number the oldest is forgotten, and comes again at once. */
const LIMIT = 10_000;

/**
 * Deliveries, and deferred events, that failed by a fault of their own. Each is tried again after a pause that doubles,
 * and holds up none of the others.
 */
export class DeliveryPauses {
  private readonly pauses = new BoundedMap<string, { readonly untilMs: number; readonly pauseMs: number }>(LIMIT);

  /** Answers the length of the pause. */
  add(id: string, now: number): number {
    const before = this.pauses.get(id)?.pauseMs ?? FIRST_PAUSE_MS / 2;
    const pauseMs = Math.min(before * 2, LONGEST_PAUSE_MS);
    this.pauses.set(id, { untilMs: now + pauseMs, pauseMs });
    return pauseMs;
  }

  has(id: string, now: number): boolean {
    const pause = this.pauses.get(id);
    return pause !== undefined && pause.untilMs > now;
  }

  forget(id: string): void {
    this.pauses.delete(id);
  }
}
