import type { Clock } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import { OutageGate } from '../outage-gate';
import { Turns } from '../turns';

type Waiting = { readonly position: number; readonly admit: (entered: boolean) => void };

/**
 * The right to run a handler: so many handlers at once, and none while the gate is closed. Messages that come for the
 * first time take turns with messages that come again after a pause. Among either, the earliest of the log goes first.
 */
export class HandlerPlaces {
  private readonly gate: OutageGate;
  private readonly turns = new Turns();
  private readonly lines: Record<'new' | 'again', Waiting[]> = { new: [], again: [] };

  constructor(
    private free: number,
    private readonly signal: AbortSignal,
    clock: Clock,
    entropy: Entropy,
  ) {
    this.gate = new OutageGate(clock, entropy, () => this.admit());
    signal.addEventListener('abort', () => this.sendAway(), { once: true });
  }

  /** Resolves to true once there is a place, which must be left later; to false when `signal` aborts. */
  enter(position: number, line: 'new' | 'again'): Promise<boolean> {
    if (this.signal.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const waiting = this.lines[line];
      const before = waiting.findLastIndex(other => other.position <= position);
      waiting.splice(before + 1, 0, { position, admit: resolve });
      this.admit();
    });
  }

  leave(): void {
    this.free++;
    this.admit();
  }

  /** Closes the gate, since a store that all handlers need is away. */
  close(): void {
    this.gate.close(this.signal);
  }

  ended(): void {
    this.gate.ended();
  }

  private admit(): void {
    while (this.free > 0 && this.gate.isOpen && !this.signal.aborted) {
      const line = this.turns.next(this.lines.new.length > 0, this.lines.again.length > 0);
      const next = line && this.lines[line].shift();
      if (!next) return;
      this.free--;
      next.admit(true);
    }
  }

  private sendAway(): void {
    for (const { admit } of [...this.lines.new.splice(0), ...this.lines.again.splice(0)]) admit(false);
  }
}
