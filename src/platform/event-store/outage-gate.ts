import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { holdPauseMs } from './message-pauses';

/**
 * Stands before the messages of a group. The gate closes for a growing pause when a handler finds a store away, since
 * the others would find the same. The messages stay where they are, in the log's order, instead of being begun one
 * after the other. The pause starts small again once a message that was held by it comes to an end.
 */
export class OutageGate {
  private closures = 0;
  private closed = false;

  constructor(
    private readonly clock: Clock,
    private readonly entropy: Entropy,
    private readonly opened: () => void,
  ) {}

  get isOpen(): boolean {
    return !this.closed;
  }

  /** What was begun before it closed may find the same: that adds nothing. */
  close(signal: AbortSignal): void {
    if (this.closed) return;
    this.closed = true;
    void this.clock.wait(holdPauseMs(++this.closures, this.entropy), signal).then(() => this.open());
  }

  /** A message that had been held was handled, or failed by its own fault: what was away is back. */
  ended(): void {
    this.closures = 0;
  }

  private open(): void {
    this.closed = false;
    this.opened();
  }
}
