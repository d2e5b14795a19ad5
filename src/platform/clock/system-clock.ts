import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock';

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's wall clock and timers. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  async wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    let leftMs = Math.max(0, delayMs);
    do {
      const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
      // The one way in which the timer rejects is the abort, which ends the wait.
      await sleep(stepMs, undefined, signal && { signal }).catch(() => undefined);
      leftMs -= stepMs;
    } while (leftMs > 0 && !signal?.aborted);
  }
}
