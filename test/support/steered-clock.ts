import type { Clock } from '../../src/kernel/clock';

/** The wall's clock with the time that a test adds. */
export class SteeredClock implements Clock {
  aheadMs = 0;
  private waiting: readonly { readonly dueMs: number; readonly ending: AbortController }[] = [];

  constructor(private readonly wall: Clock) {}

  now(): number {
    return this.wall.now() + this.aheadMs;
  }

  async wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    const own = { dueMs: this.now() + delayMs, ending: new AbortController() };
    this.waiting = [...this.waiting, own];
    await this.wall.wait(delayMs, AbortSignal.any([own.ending.signal, ...(signal ? [signal] : [])]));
    this.waiting = this.waiting.filter(other => other !== own);
  }

  /** Lets time pass, and ends the waits that are due by then; a change of `aheadMs` ends none. */
  pass(byMs: number): void {
    this.aheadMs += byMs;
    for (const { dueMs, ending } of this.waiting) if (dueMs <= this.now()) ending.abort();
  }
}
