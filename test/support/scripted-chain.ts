import { createHash } from 'node:crypto';
import { refuse } from '../../src/vocabulary/errors';
import type {
  BlockHeader,
  BlockReading,
  Chain,
  LookedUp,
  ObservedTransfer,
  RangeReading,
  Receipt,
} from '../../src/kernel/ports/chain';
import type { ChainBalances } from '../../src/kernel/ports/chain-balances';

export type ScriptedTransfer = {
  readonly txHash: string;
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly valueBaseUnits: bigint;
  /** The transaction is in the block, and its execution failed. */
  readonly hasFailed?: boolean;
  /**
   * A lie of the chain. `unseen`: the scan of payments does not show the transfer. `unlogged`: tokens move without a
   * log. `unmoved`: the scan shows a transfer that the chain never had. `worthless`: a log by which no tokens move.
   */
  readonly lie?: 'unseen' | 'unlogged' | 'unmoved' | 'worthless';
  /** The value that the scan of payments shows, where it is another one. */
  readonly seenBaseUnits?: bigint;
};

type Block = { readonly header: BlockHeader; readonly transactions: readonly ScriptedTransfer[] };

/**
 * A chain whose every block a test decides: honest headers linked by hash, reorganisations, and a switch for a provider
 * that fails.
 */
export class ScriptedChain implements Chain, ChainBalances {
  /** While true every question is answered with provider_unavailable. */
  down = false;
  /** While false, providers do not agree on any block. */
  isAgreed = true;
  /** While false, the second provider has not got the transactions that the first one has. */
  isSecondInStep = true;
  calls = 0;
  /** The oldest block whose balances are told. */
  keptFrom = 0;
  readonly providers = ['one.example', 'two.example'];
  private blocks: Block[];
  private forks = 0;
  private skippedMs = 0;

  constructor(
    private readonly startMs: number,
    private readonly blockMs = 1_000,
    /** Blocks between the head and the last one that the chain calls final. */
    public finalityLag = 2,
  ) {
    this.blocks = [this.block(0, '0x00', [])];
  }

  mine(...transactions: readonly ScriptedTransfer[]): BlockHeader {
    const parent = this.blocks.at(-1) as Block;
    const block = this.block(parent.header.number + 1, parent.header.hash, transactions);
    this.blocks.push(block);
    return block.header;
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
  reorganise(depth: number, transactions: readonly ScriptedTransfer[] = [], offset = 0): void {
    this.forks += 1;
    this.blocks = this.blocks.slice(0, -depth);
    this.mineEmpty(offset);
    this.mine(...transactions);
    this.mineEmpty(Math.max(0, depth - 1 - offset));
  }

  /** Puts the chain back to the branch that it is on now. */
  branch(): () => void {
    const blocks = [...this.blocks];
    return () => {
      this.blocks = [...blocks];
    };
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  /** The block that holds the transaction, unless it failed; null when none does. */
  blockOf(txHash: string): BlockHeader | null {
    const isIn = ({ transactions }: Block): boolean => transactions.some(tx => tx.txHash === txHash && !tx.hasFailed);
    return this.blocks.find(isIn)?.header ?? null;
  }

  transactionsOfLast(depth: number): readonly ScriptedTransfer[] {
    return this.blocks.slice(-depth).flatMap(({ transactions }) => transactions);
  }

  /** Time of the block that holds the transaction; null when none does. */
  timeOf(txHash: string): number | null {
    const block = this.blocks.find(({ transactions }) => transactions.some(tx => tx.txHash === txHash));
    return block?.header.timeMs ?? null;
  }

  check(): Promise<void> {
    return this.answer(() => undefined);
  }

  head(): Promise<BlockHeader> {
    return this.answer(() => (this.blocks.at(-1) as Block).header);
  }

  finalizedHeight(): Promise<number> {
    return this.answer(() => Math.max(0, this.blocks.length - 1 - this.finalityLag));
  }

  blockAt(height: number): Promise<BlockHeader | null> {
    return this.answer(() => this.blocks[height]?.header ?? null);
  }

  transfersInBlock(hash: string, contract: string, recipients: readonly string[]): Promise<BlockReading> {
    return this.answer(() => {
      const block = this.blocks.find(({ header }) => header.hash === hash);
      if (!block) throw refuse('provider_response_invalid', { message: `unknown block ${hash}` });
      return readingOf([block], contract, recipients);
    });
  }

  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]): Promise<RangeReading> {
    return this.answer(() => {
      const endHash = (this.blocks[to] as Block).header.hash;
      return { endHash, ...readingOf(this.blocks.slice(from, to + 1), contract, recipients) };
    });
  }

  movementsInRange(from: number, to: number, contract: string, parties: readonly string[]): Promise<RangeReading> {
    return this.answer(() => {
      const endHash = (this.blocks[to] as Block).header.hash;
      const isAskedFor = (each: ObservedTransfer) =>
        each.contract === contract &&
        each.valueBaseUnits > 0n &&
        (parties.includes(each.to) || parties.includes(each.from));
      const logged = this.blocks.slice(from, to + 1).flatMap(block => transfersOf(block, LEDGER_LOGS));
      return { endHash, transfers: logged.filter(isAskedFor), unread: [] };
    });
  }

  /** Null for a block below the oldest one whose state is kept. */
  balanceAt(contract: string, owner: string, { number }: Pick<BlockHeader, 'number'>): Promise<bigint | null> {
    return this.answer(() => {
      if (number < this.keptFrom) return null;
      const moved = this.blocks.slice(0, number + 1).flatMap(block => transfersOf(block, LEDGER_MOVES));
      const own = moved.filter(each => each.contract === contract);
      const sum = (all: readonly ObservedTransfer[]) => all.reduce((total, each) => total + each.valueBaseUnits, 0n);
      return sum(own.filter(({ to }) => to === owner)) - sum(own.filter(({ from }) => from === owner));
    });
  }

  receipt(txHash: string): Promise<Receipt | null> {
    return this.answer(() => {
      const block = this.blocks.find(({ transactions }) => transactions.some(tx => tx.txHash === txHash));
      if (!block) return null;
      const transfers = transfersOf(block).filter(transfer => transfer.txHash === txHash);
      const succeeded = block.transactions.every(tx => tx.txHash !== txHash || !tx.hasFailed);
      return { succeeded, blockNumber: block.header.number, blockHash: block.header.hash, transfers };
    });
  }

  agreedHash(height: number): Promise<string | null> {
    return this.answer(() => (this.isAgreed ? (this.blocks[height]?.header.hash ?? null) : null));
  }

  agreedBlock(height: number): Promise<BlockHeader | null> {
    return this.answer(() => (this.isAgreed ? (this.blocks[height]?.header ?? null) : null));
  }

  async secondReceipt(txHash: string): Promise<Receipt | null> {
    return this.isSecondInStep ? this.receipt(txHash) : this.answer(() => null);
  }

  async lookUp(txHash: string): Promise<LookedUp> {
    const receipt = await this.receipt(txHash);
    const block = receipt && (await this.blockAt(receipt.blockNumber));
    return receipt && block?.hash === receipt.blockHash ? { kind: 'found', receipt, block } : { kind: 'unknown' };
  }

  lookUpHash(height: number): Promise<string | null> {
    return this.agreedHash(height);
  }

  private block(number: number, parentHash: string, transactions: readonly ScriptedTransfer[]): Block {
    const seed = [number, parentHash, this.forks, ...transactions.map(({ txHash }) => txHash)].join('|');
    const hash = `0x${createHash('sha256').update(seed).digest('hex')}`;
    return {
      header: { number, hash, parentHash, timeMs: this.startMs + this.skippedMs + number * this.blockMs },
      transactions,
    };
  }

  private async answer<T>(give: () => T): Promise<T> {
    this.calls += 1;
    if (this.down) throw refuse('provider_unavailable');
    return give();
  }
}

function readingOf(blocks: readonly Block[], contract: string, recipients: readonly string[]): BlockReading {
  const isAskedFor = ({ contract: token, to }: ObservedTransfer) => token === contract && recipients.includes(to);
  return { transfers: blocks.flatMap(block => transfersOf(block)).filter(isAskedFor), unread: [] };
}

type Lies = ReadonlySet<ScriptedTransfer['lie']>;

const SCANNED: Lies = new Set([undefined, 'unmoved', 'worthless']);
const LEDGER_LOGS: Lies = new Set([undefined, 'unseen', 'worthless']);
const LEDGER_MOVES: Lies = new Set([undefined, 'unseen', 'unlogged']);

function transfersOf({ header, transactions }: Block, shown: Lies = SCANNED): readonly ObservedTransfer[] {
  const ordinals = new Map<string, number>();
  return transactions.flatMap(({ hasFailed, lie, seenBaseUnits, ...transfer }) => {
    if (hasFailed) return [];
    const ordinal = ordinals.get(transfer.txHash) ?? 0;
    ordinals.set(transfer.txHash, ordinal + 1);
    if (!shown.has(lie)) return [];
    const valueBaseUnits = (shown === SCANNED ? seenBaseUnits : undefined) ?? transfer.valueBaseUnits;
    return [{ ...transfer, valueBaseUnits, ordinal, blockNumber: header.number, blockHash: header.hash }];
  });
}
