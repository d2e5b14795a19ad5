import type { BlockHeader } from '../kernel/ports/chain';

/**
 * Headers of recent blocks that the watcher remembers: more than any reorganisation through which it must see (BNB
 * without finality: 240).
 */
export const TAIL_BLOCKS = 512;

/**
 * The newest blocks of a chain as they were scanned, linked by parent hashes. A height holds the one hash that was
 * canonical when last seen.
 */
export class BlockTail {
  private readonly headers = new Map<number, BlockHeader>();
  /** The tail as it was scanned, kept while all is scanned once more. */
  private readonly former = new Map<number, BlockHeader>();
  private highest = -1;

  has(header: Pick<BlockHeader, 'number' | 'hash'>): boolean {
    return this.headers.get(header.number)?.hash === header.hash;
  }

  /** The height of the newest block that was scanned; -1 for none. */
  get height(): number {
    return this.highest;
  }

  at(height: number): BlockHeader | null {
    return this.headers.get(height) ?? null;
  }

  /** Takes the place of the blocks at its height and above, which have left the chain; true where there were any. */
  add(header: BlockHeader): boolean {
    const before = this.former.get(header.number);
    const hasReplaced = this.headers.has(header.number) || (before !== undefined && before.hash !== header.hash);
    this.former.delete(header.number);
    for (let height = header.number; this.headers.delete(height) || height === header.number; height++);
    this.headers.set(header.number, header);
    this.highest = header.number;
    this.headers.delete(header.number - TAIL_BLOCKS);
    return hasReplaced;
  }

  /** The tail is scanned once more; the former scan still tells which blocks have been replaced. */
  reopen(): void {
    for (const [height, header] of this.headers) this.former.set(height, header);
    const lowest = Math.max(...this.former.keys()) - TAIL_BLOCKS;
    for (const height of this.former.keys()) if (height <= lowest) this.former.delete(height);
    this.headers.clear();
    this.highest = -1;
  }

  /** Whether the block was scanned before: then none below it has been replaced since. */
  stoodAs({ number, hash }: Pick<BlockHeader, 'number' | 'hash'>): boolean {
    return this.former.get(number)?.hash === hash;
  }

  clear(): void {
    this.headers.clear();
    this.former.clear();
    this.highest = -1;
  }
}
