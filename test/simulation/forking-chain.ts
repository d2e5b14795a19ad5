import { createHash } from 'node:crypto';
import type { BlockHeader } from '../../src/kernel/ports/chain';
import { BlockIndex, ChainView, type Block, type Transaction } from './chain-view';

/**
 * A chain that the seed decides block by block: honest headers linked by hash, forks that take its end's place, and
 * forks that come back.
 */
export class ForkingChain {
  /** While false, the second provider has not got the transactions that the first one has. */
  isSecondInStep = true;
  private readonly index = new BlockIndex();
  private blocks: Block[] = [];
  private forks = 0;
  private skippedMs = 0;

  constructor(
    private readonly startMs: number,
    private readonly blockMs: number,
    /** Blocks between the head and the last one that the chain calls final. */
    public finalityLag: number,
  ) {
    this.push('0x00', []);
  }

  /** The chain as it stands now and whenever it is asked. */
  get now(): ChainView {
    return new ChainView(this.blocks, this.index);
  }

  /** The chain as it stands now, for ever. */
  snapshot(): ChainView {
    return new ChainView([...this.blocks], this.index);
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  mine(...transactions: readonly Transaction[]): BlockHeader {
    return this.push((this.blocks.at(-1) as Block).header.hash, transactions);
  }

  mineEmpty(count: number): void {
    for (let i = 0; i < count; i++) this.mine();
  }

  /** The next block comes so much later. */
  skipTime(skippedMs: number): void {
    this.skippedMs += skippedMs;
  }

  /**
   * Takes the last `depth` blocks off and puts as many others. The transactions stand in the block after `offset` empty
   * ones.
   */
  reorganise(depth: number, transactions: readonly Transaction[] = [], offset = 0): void {
    this.forks += 1;
    this.blocks = this.blocks.slice(0, -depth);
    this.mineEmpty(offset);
    this.mine(...transactions);
    this.mineEmpty(Math.max(0, depth - 1 - offset));
  }

  /** Blocks of the chain that are not on the fork. */
  depthOf({ blocks }: ChainView): number {
    let common = Math.min(this.blocks.length, blocks.length);
    while (common > 0 && this.blocks[common - 1] !== blocks[common - 1]) common -= 1;
    return this.blocks.length - common;
  }

  /** The fork takes the place of the chain's end again, and grows until it is as long. */
  returnTo({ blocks }: ChainView): void {
    const { height } = this;
    this.forks += 1;
    this.blocks = [...blocks];
    this.mineEmpty(Math.max(0, height - this.height));
  }

  transactionsOfLast(depth: number): readonly Transaction[] {
    return this.blocks.slice(-depth).flatMap(({ transactions }) => transactions);
  }

  private push(parentHash: string, transactions: readonly Transaction[]): BlockHeader {
    const number = this.blocks.length;
    const seed = [number, parentHash, this.forks, ...transactions.map(({ txHash }) => txHash)].join('|');
    const hash = `0x${createHash('sha256').update(seed).digest('hex')}`;
    const header = { number, hash, parentHash, timeMs: this.startMs + this.skippedMs + number * this.blockMs };
    const block = { header, transactions };
    this.blocks.push(block);
    this.index.add(block);
    return header;
  }
}
