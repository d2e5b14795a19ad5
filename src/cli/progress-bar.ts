import { parseIsoTime, type Clock } from '../kernel/clock';
import type { Terminal } from './terminal';

/** Work that is over sooner needs no bar. */
const SILENT_MS = 2_000;
const REDRAW_EVERY_MS = 100;
const WIDTH = 30;

/** A bar on standard error, redrawn in place; nothing is drawn where standard error is no terminal. */
export class ProgressBar {
  private readonly startedAt: number;
  private drawnAt = -Infinity;
  private firstMs: number | null = null;

  constructor(
    private readonly terminal: Terminal,
    private readonly clock: Clock,
    private readonly label: string,
  ) {
    this.startedAt = clock.now();
  }

  /** `done` of `total`, in any unit. */
  show(done: number, total: number): void {
    const now = this.clock.now();
    if (!this.terminal.isInteractive || now - this.startedAt < SILENT_MS || now - this.drawnAt < REDRAW_EVERY_MS)
      return;
    this.drawnAt = now;
    const share = total > 0 ? Math.min(done / total, 1) : 1;
    const filled = Math.round(share * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    this.terminal.err(`\r${this.label} ${bar} ${Math.floor(share * 100)} % `);
  }

  /**
   * Shows how far the work has come: `recordedAt` is when the newest event of the work was recorded. The whole is the
   * time from the first such moment until now.
   */
  reach(recordedAt: string | null): void {
    if (recordedAt === null) return;
    const reachedMs = parseIsoTime(recordedAt);
    this.firstMs ??= reachedMs;
    this.show(reachedMs - this.firstMs, this.clock.now() - this.firstMs);
  }

  /** Takes the bar away. */
  end(): void {
    if (this.drawnAt > 0) this.terminal.err('\r\x1b[K');
  }
}
