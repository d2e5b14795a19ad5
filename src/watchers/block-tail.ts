import type { BlockHeader } from '../kernel/ports/chain';

/** Headers of recent blocks that the watcher remembers: more than any reorganisation it must see through (BNB without finality: 240). */
export const TAIL_BLOCKS = 512;

/** The open end of a chain as it was scanned, linked by parent hashes; a height holds the one hash that was canonical when last seen. */
export class BlockTail {
  private readonly headers = new Map<number, BlockHeader>();

  has(header: Pick<BlockHeader, 'number' | 'hash'>): boolean {
    return this.headers.get(header.number)?.hash === header.hash;
  }

  hashAt(height: number): string | null {
    return this.headers.get(height)?.hash ?? null;
  }

  /** Takes the place of whatever stood at its height and above: those blocks have left the chain. */
  add(header: BlockHeader): void {
    for (let height = header.number; this.headers.delete(height) || height === header.number; height++);
    this.headers.set(header.number, header);
    this.headers.delete(header.number - TAIL_BLOCKS);
  }

  clear(): void {
    this.headers.clear();
  }
}
