/**
 * Wakes the readers that wait for a change. Take `rung` before looking and wait with it afterwards, so that a change in
 * between is never missed.
 */
export class Bell {
  private readonly waiting = new Set<() => void>();
  private readonly heard = new WeakSet<AbortSignal>();
  private count = 0;

  get rung(): number {
    return this.count;
  }

  ring(): void {
    this.count++;
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }

  /**
   * Wakes the one waiter that has waited longest, for a change that one can handle. The woken waiter rings again where
   * more is left.
   */
  ringOne(): void {
    this.count++;
    const [wake] = this.waiting;
    if (wake === undefined) return;
    this.waiting.delete(wake);
    wake();
  }

  /** Resolves at a ring after `since`, or when `signal` aborts. */
  next(since: number, signal: AbortSignal): Promise<void> {
    if (this.count !== since || signal.aborted) return Promise.resolve();
    this.hear(signal);
    return new Promise(resolve => this.waiting.add(resolve));
  }

  /** Once for each signal: a hundred waiters may share one signal, and each listener makes the next one dearer. */
  private hear(signal: AbortSignal): void {
    if (this.heard.has(signal)) return;
    this.heard.add(signal);
    signal.addEventListener('abort', () => this.ring(), { once: true });
  }
}
