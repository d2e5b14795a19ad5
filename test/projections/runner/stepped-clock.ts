import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/kernel/clock';

const TURN_LIMIT = 20_000;
const STEP_MS = 100;

type Sleeper = { readonly dueMs: number; readonly wake: () => void };

/** Time that passes only when the test says so. */
export class SteppedClock implements Clock {
  private timeMs = Date.parse('2026-11-01T12:00:00.000Z');
  private readonly sleepers = new Set<Sleeper>();

  now(): number {
    return this.timeMs;
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      if (signal?.aborted) return resolve();
      const wake = (): void => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { dueMs: this.timeMs + delayMs, wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  step(byMs: number): void {
    this.timeMs += byMs;
    for (const sleeper of [...this.sleepers]) if (sleeper.dueMs <= this.timeMs) sleeper.wake();
  }

  /** Lets time pass in steps of 100 ms until the condition holds. */
  async passUntil(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let turn = 0; !(await holds()); turn++) {
      if (turn >= TURN_LIMIT) throw new Error(`never came about: ${what}`);
      this.step(STEP_MS);
      await nextTurn();
    }
  }
}
