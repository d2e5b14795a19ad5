import { BoundedMap } from '../../../kernel/bounded-map';
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock';

const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = MINUTE_MS;
/** Beyond it the oldest is forgotten, and comes again at once. */
const LIMIT = 10_000;

/**
 * Deliveries that failed by a fault of their own: each is tried again after a pause that doubles, and holds up none of
 * the others.
 */
export class SetAside {
  private readonly pauses = new BoundedMap<string, { readonly untilMs: number; readonly pauseMs: number }>(LIMIT);

  /** Answers for how long. */
  add(deliveryId: string, now: number): number {
    const before = this.pauses.get(deliveryId)?.pauseMs ?? FIRST_PAUSE_MS / 2;
    const pauseMs = Math.min(before * 2, LONGEST_PAUSE_MS);
    this.pauses.set(deliveryId, { untilMs: now + pauseMs, pauseMs });
    return pauseMs;
  }

  has(deliveryId: string, now: number): boolean {
    const pause = this.pauses.get(deliveryId);
    return pause !== undefined && pause.untilMs > now;
  }

  forget(deliveryId: string): void {
    this.pauses.delete(deliveryId);
  }
}
