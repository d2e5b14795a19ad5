/**
 * Wakes whoever waits for a change. Take `rung` before looking and wait with it after: a change in between is never
 * missed.
 */
export class Bell {
  private readonly waiting = new Set<() => void>();
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
   * For a change that one can deal with: wakes whoever has waited longest. The woken one rings on where more is left.
   */
  ringOne(): void {
    this.count++;
    const [wake] = this.waiting;
    wake?.();
  }

  /** Resolves at the first ring after `since`, or when `signal` aborts. */
  next(since: number, signal: AbortSignal): Promise<void> {
    if (this.count !== since || signal.aborted) return Promise.resolve();
    return new Promise(resolve => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
