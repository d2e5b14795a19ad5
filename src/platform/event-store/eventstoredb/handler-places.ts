import type { Clock } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import { OutageGate } from '../outage-gate';

type Waiting = { readonly position: number; readonly admit: (entered: boolean) => void };

/** Who may run a handler: so many at once, the earliest of the log first, and nobody while the gate is closed. */
export class HandlerPlaces {
  private readonly gate: OutageGate;
  private readonly waiting: Waiting[] = [];

  constructor(
    private free: number,
    private readonly signal: AbortSignal,
    clock: Clock,
    entropy: Entropy,
  ) {
    this.gate = new OutageGate(clock, entropy, () => this.admit());
    signal.addEventListener('abort', () => this.sendAway(), { once: true });
  }

  /** Resolves to true once there is a place, which is to be left; to false when `signal` aborts. */
  enter(position: number): Promise<boolean> {
    if (this.signal.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const before = this.waiting.findLastIndex(other => other.position <= position);
      this.waiting.splice(before + 1, 0, { position, admit: resolve });
      this.admit();
    });
  }

  leave(): void {
    this.free++;
    this.admit();
  }

  /** Whoever has left finds the gate closed: what all handlers need is away. */
  close(): void {
    this.gate.close(this.signal);
  }

  ended(): void {
    this.gate.ended();
  }

  private admit(): void {
    while (this.free > 0 && this.gate.isOpen && !this.signal.aborted) {
      const next = this.waiting.shift();
      if (!next) return;
      this.free--;
      next.admit(true);
    }
  }

  private sendAway(): void {
    for (const { admit } of this.waiting.splice(0)) admit(false);
  }
}
