import { BoundedMap } from '../../kernel/bounded-map';
import type { Rpc } from '../../platform/chains/evm/json-rpc';
import { quantity, toQuantity } from '../../platform/chains/evm/rpc-shapes';
import { DEEPEST_REORG } from '../anvil-process';
import { evmBlock, type EvmBlock } from './evm-records';
import { openEnvelope } from './tron-envelope';

/** Three hours at a block a second, which a search reads in seconds; an older transaction is found by no TRON id. */
const MAX_BLOCKS = 3 * 3_600;
const MAX_TRANSACTIONS = 100_000;
const BLOCKS_AT_ONCE = 32;
const TAIL_BLOCKS = 2 * DEEPEST_REORG;

/**
 * The places of the transactions that came by TRON's interface: their EVM hashes by their TRON ids. The index reads
 * blocks as it needs them, the newest first. The chain could tell every entry again.
 */
export class TransactionIndex {
  private readonly evmHashes = new BoundedMap<string, string>(MAX_TRANSACTIONS);
  /** Hashes of the newest blocks read, enough of them to see which blocks a reorganisation replaced. */
  private readonly tail = new Map<number, string>();
  /** The blocks read are `lowest` to `highest`; none where the one is above the other. */
  private lowest = 0;
  private highest = -1;
  private reading: Promise<unknown> = Promise.resolve();

  constructor(private readonly rpc: Rpc) {}

  /**
   * The EVM hash of the id's last sighting in a block from `since` on. Only the chain can tell whether that hash is
   * still in a block.
   */
  find(id: string, since = 0): Promise<string | null> {
    const found = this.reading.then(() => this.search(id, since));
    this.reading = found.catch(() => undefined);
    return found;
  }

  private async search(id: string, since: number): Promise<string | null> {
    await this.readNewer();
    const floor = Math.max(since, this.highest - MAX_BLOCKS, 0);
    while (!this.evmHashes.has(id) && this.lowest > floor) {
      const from = Math.max(floor, this.lowest - BLOCKS_AT_ONCE);
      await this.read(from, this.lowest - 1);
      this.lowest = from;
    }
    return this.evmHashes.get(id) ?? null;
  }

  private async readNewer(): Promise<void> {
    const head = await this.rpc.call('eth_blockNumber', [], quantity);
    while (this.lowest <= this.highest && !(await this.stillHas(this.highest, head))) this.highest--;
    if (this.lowest > this.highest || head - this.highest > MAX_BLOCKS) {
      this.evmHashes.clear();
      this.lowest = head + 1;
      this.highest = head;
    }
    while (this.highest < head) {
      const to = Math.min(head, this.highest + BLOCKS_AT_ONCE);
      await this.read(this.highest + 1, to);
      this.highest = to;
    }
  }

  /** No reorganisation reaches below the tail. */
  private async stillHas(height: number, head: number): Promise<boolean> {
    if (height > head) return false;
    const known = this.tail.get(height);
    return known === undefined || (await this.blockAt(height))?.hash === known;
  }

  private async read(from: number, to: number): Promise<void> {
    const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    for (const block of await Promise.all(heights.map(height => this.blockAt(height)))) {
      if (block) this.take(block);
    }
  }

  private take({ number, hash, transactions }: EvmBlock): void {
    if (number > this.highest - TAIL_BLOCKS) this.tail.set(number, hash);
    if (this.tail.size > 2 * TAIL_BLOCKS) {
      for (const height of this.tail.keys()) if (height <= number - TAIL_BLOCKS) this.tail.delete(height);
    }
    for (const transaction of transactions) {
      const id = openEnvelope(transaction)?.id;
      if (id === undefined) continue;
      this.evmHashes.set(id, transaction.hash);
    }
  }

  private blockAt(height: number): Promise<EvmBlock | null> {
    return this.rpc.call('eth_getBlockByNumber', [toQuantity(height), true], evmBlock.nullable());
  }
}
