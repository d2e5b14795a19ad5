import type { LogPosition } from '../../src/kernel/log-position';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';

type Waiter = { readonly position: LogPosition; readonly resolve: () => void; readonly reject: (error: Error) => void };

/** The callers that wait for a projection to have every event up to some position. */
export class PositionWaiters {
  private readonly waiting = new Set<Waiter>();
  private position = START_OF_LOG;
  private failure: string | null = null;

  constructor(private readonly projection: string) {}

  /** Resolves at once when the position was reached before. Rejects when it cannot be reached, or `signal` aborts. */
  reach(position: LogPosition, signal: AbortSignal): Promise<void> {
    if (this.position >= position) return Promise.resolve();
    if (this.failure !== null) return Promise.reject(new Error(this.failure));
    return new Promise((resolve, reject) => {
      const waiter = { position, resolve, reject };
      this.waiting.add(waiter);
      const giveUp = (): void => {
        this.waiting.delete(waiter);
        reject(new Error(`${this.projection} is at position ${this.position}, not yet at ${position}`));
      };
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  arrive(position: LogPosition): void {
    this.position = position;
    this.failure = null;
    for (const waiter of this.waiting) {
      if (waiter.position > position) continue;
      this.waiting.delete(waiter);
      waiter.resolve();
    }
  }

  fail(why: string): void {
    this.failure = why;
    for (const { reject } of this.waiting) reject(new Error(why));
    this.waiting.clear();
  }
}
