import type { ObjectStream } from './event-store-client';

type Pulled<Item, Mark> = { readonly item: Item } | { readonly mark: Mark };

/**
 * A stream read by pulling, so that its reader sets the pace. Marks keep their place among the stream's items. The
 * client tells of a checkpoint beside the stream, while events before that checkpoint are still in the buffer.
 */
export class PulledStream<Item, Mark = never> {
  private readonly marks: { readonly after: number; mark: Mark }[] = [];
  private taken = 0;
  private wake: () => void = () => undefined;
  private isOver = false;
  private failure: Error | null = null;

  /**
   * `supersedes` tells of two marks with nothing between them whether the later one is enough, since a client may make
   * any number of marks.
   */
  constructor(
    private readonly stream: ObjectStream,
    private readonly supersedes: (later: Mark, earlier: Mark) => boolean = () => false,
  ) {
    stream.on('readable', () => this.wake());
    stream.on('end', () => this.end(null));
    stream.on('close', () => this.end(null));
    // Stays on for good: an error after all readers have left would end the process.
    stream.on('error', error => this.end(error as Error));
  }

  /** Puts a mark behind all items that the stream holds now. */
  mark(mark: Mark): void {
    const after = this.taken + this.stream.readableLength;
    const last = this.marks.at(-1);
    if (last?.after === after && this.supersedes(mark, last.mark)) last.mark = mark;
    else this.marks.push({ after, mark });
    this.wake();
  }

  /** The next item or mark if there is one without waiting, else null. */
  next(): Pulled<Item, Mark> | null {
    const [first] = this.marks;
    if (first && first.after <= this.taken) {
      this.marks.shift();
      return { mark: first.mark };
    }
    const item = this.stream.read() as Item | null;
    if (item === null) return null;
    this.taken++;
    return { item };
  }

  /** Resolves to true once `next` may have something, and to false once nothing more will come or `signal` aborts. */
  async more(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.hasNext()) return true;
    if (this.isOver) return false;
    await new Promise<void>(resolve => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
    return !signal.aborted && (this.hasNext() || !this.isOver);
  }

  /** The reason of the end; null for an end without an error. */
  get error(): Error | null {
    return this.failure;
  }

  /** Whether an item or mark is there without waiting. */
  hasNext(): boolean {
    const [first] = this.marks;
    return (
      this.failure === null && (this.stream.readableLength > 0 || (first !== undefined && first.after <= this.taken))
    );
  }

  private end(failure: Error | null): void {
    this.isOver = true;
    this.failure ??= failure;
    this.wake();
  }
}
