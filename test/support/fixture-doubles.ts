import type { Entropy } from '../../src/kernel/entropy';
import type { Log } from '../../src/kernel/ports/log';

/** Counts up: every id is another, and the same in each run. */
export class CountingEntropy implements Entropy {
  private count = 0;
  bytes(count: number): Uint8Array {
    const bytes = Buffer.alloc(count);
    bytes.writeUIntBE(++this.count, count - 6, 6);
    return bytes;
  }
}

export class RecordingLog implements Log {
  readonly lines: { readonly level: 'info' | 'warn' | 'error'; readonly message: string; readonly facts: object }[] =
    [];

  info(facts: object, message: string): void {
    this.lines.push({ level: 'info', facts, message });
  }

  warn(facts: object, message: string): void {
    this.lines.push({ level: 'warn', facts, message });
  }

  error(facts: object, message: string): void {
    this.lines.push({ level: 'error', facts, message });
  }

  said(message: string): readonly object[] {
    return this.lines.filter(line => line.message === message).map(({ facts }) => facts);
  }
}
