import type { Clock } from '../../kernel/clock';

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's wall clock and timers. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  /** Uses a bare timer: node's own promise of a timer makes two errors with their stacks for each abort. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise(resolve => {
      let timer: NodeJS.Timeout;
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const step = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
        timer = leftMs > stepMs ? setTimeout(step, stepMs, leftMs - stepMs) : setTimeout(end, stepMs);
      };
      signal?.addEventListener('abort', end, { once: true });
      step(Math.max(0, delayMs));
    });
  }
}
