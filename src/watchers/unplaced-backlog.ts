import type { BlockHeader } from '../kernel/ports/chain';
import type { SeenTransfer, UnplacedTransfer } from './transfer-sightings';

/** Transfers that are held in memory. Blocks beyond that are read again once there is room. */
const HELD_LIMIT = 20_000;
/** Transfers of provisional readings that are held: each of them is met again when its block is agreed. */
const PROVISIONAL_LIMIT = 512;
/** Blocks that are read again at once. */
const READ_AGAIN_SPAN = 16;

/** The first block that coverage must not pass. Coverage may pass the parent. */
type Edge = Pick<BlockHeader, 'number' | 'parentHash' | 'timeMs'>;
/** Blocks, both ends included. */
type BlockSpan = { readonly from: number; readonly to: number };

type Left = Edge & { readonly to: number };

/**
 * Transfers that no payment waits for, and that have no place yet. Strangers can send any number of them, so they wait
 * here while newer blocks are read. All of these transfers are in memory: coverage stays below the edge, and a restart
 * reads from there.
 */
export class UnplacedBacklog {
  private readonly held = new Map<string, UnplacedTransfer>();
  /** Blocks whose transfers are not held. */
  private left: Left | null = null;

  get isEmpty(): boolean {
    return this.held.size === 0 && this.left === null;
  }

  /** Null where coverage may pass every block that was read. */
  get edge(): Edge | null {
    let edge: Edge | null = this.left;
    for (const { block, isProvisional } of this.held.values())
      if (!isProvisional && (edge === null || block.number < edge.number)) edge = block;
    return edge;
  }

  /**
   * Takes the transfers of one reading, in the order of its blocks. A block is held whole, however large it is, or not
   * at all.
   */
  add(transfers: readonly UnplacedTransfer[]): void {
    let block: BlockHeader | null = null;
    let hasRoom = false;
    for (const transfer of transfers) {
      if (transfer.block.hash !== block?.hash) hasRoom = this.hasRoomFor(transfer);
      block = transfer.block;
      if (hasRoom) this.held.set(keyOf(transfer), transfer);
      else if (!transfer.isProvisional) this.leave(block);
    }
  }

  /** The transfers that have waited longest. */
  first(count: number): readonly UnplacedTransfer[] {
    const first: UnplacedTransfer[] = [];
    for (const transfer of this.held.values()) {
      if (first.length === count) break;
      first.push(transfer);
    }
    return first;
  }

  /** The transfer has found its place. */
  remove(transfer: SeenTransfer): void {
    this.held.delete(keyOf(transfer));
  }

  /** The next blocks to read again, none above `upTo`; null while there is no room for them. */
  nextLeft(upTo: number): BlockSpan | null {
    const { left } = this;
    if (left === null || left.number > upTo || this.held.size > HELD_LIMIT / 2) return null;
    return { from: left.number, to: Math.min(left.to, upTo, left.number + READ_AGAIN_SPAN - 1) };
  }

  /** The caller calls this before the blocks up to `end` are read again: a block without room is left once more. */
  takeLeft(end: BlockHeader): () => void {
    const before = this.left;
    if (before !== null && end.number >= before.to) this.left = null;
    else if (before !== null)
      this.left = { ...before, number: end.number + 1, parentHash: end.hash, timeMs: end.timeMs };
    return () => (this.left = before);
  }

  clear(): void {
    this.held.clear();
    this.left = null;
  }

  private hasRoomFor({ block, isProvisional }: SeenTransfer): boolean {
    if (isProvisional) return this.held.size < PROVISIONAL_LIMIT;
    return this.held.size < HELD_LIMIT && (this.left === null || block.number < this.left.number);
  }

  private leave({ number, parentHash, timeMs }: BlockHeader): void {
    const { left } = this;
    if (left === null) this.left = { number, parentHash, timeMs, to: number };
    else if (number < left.number) this.left = { number, parentHash, timeMs, to: left.to };
    else this.left = { ...left, to: Math.max(left.to, number) };
  }
}

function keyOf({ transfer: { blockHash, txHash, ordinal }, isProvisional }: SeenTransfer): string {
  return `${blockHash} ${txHash} ${ordinal} ${isProvisional}`;
}
