import { pino, type DestinationStream } from 'pino';

/** Longer than any turn brings; what is gathered beyond it is written before the turn ends. */
const GATHERED_CHARACTERS_LIMIT = 65_536;

/**
 * Writes the lines of one turn of the event loop at once: a write of its own costs the system more than a line's
 * making. Lines of the turn in which a process is killed are lost.
 */
export class GatheredLines implements DestinationStream {
  private static standardOutput: GatheredLines | null = null;
  private lines = '';

  constructor(private readonly target: DestinationStream) {}

  /** One for the process. The lines of the turn in which the process exits are written too. */
  static onStandardOutput(): GatheredLines {
    if (this.standardOutput !== null) return this.standardOutput;
    const gathered = new GatheredLines(pino.destination({ fd: 1, sync: true }));
    process.once('exit', () => gathered.flushSync());
    this.standardOutput = gathered;
    return gathered;
  }

  write(line: string): void {
    if (this.lines === '') setImmediate(() => this.flushSync());
    this.lines += line;
    if (this.lines.length > GATHERED_CHARACTERS_LIMIT) this.flushSync();
  }

  /** By this name the logger writes a fatal line before it goes on. */
  flushSync(): void {
    const lines = this.lines;
    this.lines = '';
    if (lines !== '') this.target.write(lines);
  }
}
