import { refuse } from '../../src/vocabulary/errors';
import type { BlockHeader, ObservedTransfer, Receipt } from '../../src/kernel/ports/chain';

/**
 * One log of a transaction. `mark` tells the payment of the log, also after a reorganisation; null for a log without
 * one.
 */
export type ChainLog = {
  readonly mark: number | null;
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly valueBaseUnits: bigint;
};

export type Transaction = {
  readonly txHash: string;
  readonly logs: readonly ChainLog[];
  /** The transaction is in its block, and its execution failed: it has left no logs. */
  readonly hasFailed: boolean;
};

export type Block = { readonly header: BlockHeader; readonly transactions: readonly Transaction[] };

/** A log where it stands. */
export type StandingLog = {
  readonly txHash: string;
  readonly ordinal: number;
  readonly log: ChainLog;
  readonly block: BlockHeader;
};

/** Every block that was ever made, whichever fork it is on. */
export class BlockIndex {
  private readonly byHash = new Map<string, Block>();
  private readonly places = new Map<string, Block[]>();

  add(block: Block): void {
    this.byHash.set(block.header.hash, block);
    for (const { txHash } of block.transactions) {
      const places = this.places.get(txHash);
      if (places) places.push(block);
      else this.places.set(txHash, [block]);
    }
  }

  at(hash: string): Block | undefined {
    return this.byHash.get(hash);
  }

  placesOf(txHash: string): readonly Block[] {
    return this.places.get(txHash) ?? [];
  }
}

/** The answers of a node that knows these blocks and no others. */
export class ChainView {
  constructor(
    readonly blocks: readonly Block[],
    private readonly index: BlockIndex,
  ) {}

  get height(): number {
    return this.blocks.length - 1;
  }

  get head(): BlockHeader {
    return (this.blocks.at(-1) as Block).header;
  }

  headerAt(height: number): BlockHeader | null {
    return this.blocks[height]?.header ?? null;
  }

  hashAt(height: number): string | null {
    return this.headerAt(height)?.hash ?? null;
  }

  /** Null for a block that was never made, or that this node does not know. */
  heightOf(hash: string): number | null {
    const block = this.index.at(hash);
    return block && this.holds(block) ? block.header.number : null;
  }

  /** The block that holds the transaction, failed or not; null where none does. */
  placeOf(txHash: string): Block | null {
    return this.index.placesOf(txHash).find(block => this.holds(block)) ?? null;
  }

  transaction(txHash: string): Transaction | null {
    return this.placeOf(txHash)?.transactions.find(each => each.txHash === txHash) ?? null;
  }

  /** The block that holds the transaction, unless it failed; null when none does. */
  blockOf(txHash: string): BlockHeader | null {
    return this.transaction(txHash)?.hasFailed === false ? (this.placeOf(txHash)?.header ?? null) : null;
  }

  transfersInBlock(hash: string, contract: string, recipients: readonly string[]): readonly ObservedTransfer[] {
    const block = this.index.at(hash);
    if (!block || !this.holds(block)) throw refuse('provider_response_invalid', { message: `unknown block ${hash}` });
    return transfersOf(block).filter(({ to, contract: token }) => token === contract && recipients.includes(to));
  }

  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]) {
    return this.blocks
      .slice(from, to + 1)
      .flatMap(transfersOf)
      .filter(transfer => transfer.contract === contract && recipients.includes(transfer.to));
  }

  /** Transfers from or to any of these addresses. */
  movementsInRange(from: number, to: number, contract: string, parties: readonly string[]) {
    return this.blocks
      .slice(from, to + 1)
      .flatMap(transfersOf)
      .filter(each => each.contract === contract && each.valueBaseUnits > 0n)
      .filter(each => parties.includes(each.to) || parties.includes(each.from));
  }

  /** The balance as the blocks up to this one make it; below nothing for a payer, whose tokens come from nowhere. */
  balanceAt(height: number, contract: string, owner: string): bigint {
    const movements = this.movementsInRange(0, height, contract, [owner]);
    const changes = movements.map(({ from, to, valueBaseUnits }) => {
      return (to === owner ? valueBaseUnits : 0n) - (from === owner ? valueBaseUnits : 0n);
    });
    return changes.reduce((sum, each) => sum + each, 0n);
  }

  receipt(txHash: string): Receipt | null {
    const block = this.placeOf(txHash);
    if (!block) return null;
    const transfers = transfersOf(block).filter(transfer => transfer.txHash === txHash);
    const succeeded = block.transactions.every(tx => tx.txHash !== txHash || !tx.hasFailed);
    return { succeeded, blockNumber: block.header.number, blockHash: block.header.hash, transfers };
  }

  /** All logs to these addresses, of any contract. */
  logsTo(addresses: readonly string[]): readonly StandingLog[] {
    return this.blocks.flatMap(({ header, transactions }) =>
      transactions.flatMap(({ txHash, logs, hasFailed }) => {
        if (hasFailed) return [];
        const standing = logs.map((log, ordinal) => ({ txHash, ordinal, log, block: header }));
        return standing.filter(({ log }) => addresses.includes(log.to));
      }),
    );
  }

  private holds({ header }: Block): boolean {
    return this.hashAt(header.number) === header.hash;
  }
}

function transfersOf({ header, transactions }: Block): readonly ObservedTransfer[] {
  return transactions.flatMap(({ txHash, logs, hasFailed }) =>
    hasFailed
      ? []
      : logs.map(({ mark: _mark, ...transfer }, ordinal) => {
          return { txHash, ordinal, ...transfer, blockNumber: header.number, blockHash: header.hash };
        }),
  );
}
