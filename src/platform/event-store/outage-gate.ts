import type { Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { holdPauseMs } from './message-pauses';

/**
 * Stands before the messages of a group. The gate closes for a growing pause when a handler finds a store away, since
 * all other handlers need the same store. The messages stay in the log's order, instead of being begun one after the
 * other. The pause starts small again once a held message comes to an end.
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

  /** Closes the gate; handlers that began before it closed may find the same outage, which changes nothing. */
  close(signal: AbortSignal): void {
    if (this.closed) return;
    this.closed = true;
    void this.clock.wait(holdPauseMs(++this.closures, this.entropy), signal).then(() => this.open());
  }

  /** Notes that a held message was handled, or failed by its own fault: the outage is over. */
  ended(): void {
    this.closures = 0;
  }

  private open(): void {
    this.closed = false;
    this.opened();
  }
}
