import { z } from 'zod';
import type { Rpc } from '../../platform/chains/evm/json-rpc';
import { quantity, toQuantity } from '../../platform/chains/evm/rpc-shapes';
import { blockId, numberInBlockId } from './block-ids';
import {
  evmBlock,
  evmReceipt,
  evmTransaction,
  type EvmBlock,
  type EvmReceipt,
  type EvmTransaction,
} from './evm-records';
import type { TronFaults } from './tron-faults';
import { idOf } from './tron-shapes';
import { TransactionIndex } from './transaction-index';

const MAX_RECEIPTS = 10_000;
/** A reorganisation between two questions to the node is as rare as reorganisations are. */
const READ_TRIES = 3;
const finalizedBlock = z.object({ number: quantity });

/** The end of a reader's view: the head, or the last final block. */
export type View = 'full' | 'solid';
type TakenTransaction = {
  readonly transaction: EvmTransaction;
  readonly receipt: EvmReceipt;
  readonly block: EvmBlock;
};

/**
 * The local chain under the names that TRON gives its blocks and transactions. Each answer comes from the node, and
 * none is remembered.
 */
export class TronIndex {
  private readonly index: TransactionIndex;

  constructor(
    readonly rpc: Rpc,
    readonly faults: TronFaults,
  ) {
    this.index = new TransactionIndex(rpc);
  }

  async height(view: View): Promise<number> {
    const height =
      view === 'full'
        ? await this.rpc.call('eth_blockNumber', [], quantity)
        : (await this.rpc.call('eth_getBlockByNumber', ['finalized', false], finalizedBlock)).number;
    return Math.max(0, height - this.faults.staleBlocks);
  }

  /** Null above the end of the view. */
  async blockAt(height: number, view: View): Promise<EvmBlock | null> {
    // The node itself has no block above its own head.
    const isWhole = view === 'full' && this.faults.staleBlocks === 0;
    if (!isWhole && height > (await this.height(view))) return null;
    return this.rpc.call('eth_getBlockByNumber', [toQuantity(height), true], evmBlock.nullable());
  }

  async head(view: View): Promise<EvmBlock | null> {
    return this.blockAt(await this.height(view), view);
  }

  /** Null for the id of a block that the chain does not have, or no longer. */
  async blockById(id: string, view: View): Promise<EvmBlock | null> {
    const number = numberInBlockId(id);
    const block = number === null ? null : await this.blockAt(number, view);
    return block && this.idOfBlock(block) === id ? block : null;
  }

  idOfBlock({ number, hash }: Pick<EvmBlock, 'number' | 'hash'>): string {
    return blockId(number, hash, this.faults);
  }

  /** A block's transactions with their receipts, in their order, all of the same block. */
  async receiptsOf(height: number, view: View): Promise<{ block: EvmBlock; receipts: readonly EvmReceipt[] } | null> {
    for (let attempt = 1; attempt <= READ_TRIES; attempt++) {
      const block = await this.blockAt(height, view);
      if (!block) return null;
      if (block.transactions.length === 0) return { block, receipts: [] };
      const answer = z.array(evmReceipt).max(MAX_RECEIPTS).nullable();
      const receipts = await this.rpc.call('eth_getBlockReceipts', [toQuantity(height)], answer);
      if (receipts?.every(({ blockHash }) => blockHash === block.hash)) return { block, receipts };
    }
    return null;
  }

  /** Null for a transaction that is in no block of the view. */
  async transaction(id: string, view: View): Promise<TakenTransaction | null> {
    const transaction = await this.evmTransaction(id);
    const height = transaction?.blockNumber ?? null;
    if (transaction === null || height === null) return null;
    const taken = await this.receiptsOf(height, view);
    const receipt = taken?.receipts.find(({ transactionHash }) => transactionHash === transaction.hash);
    return taken && receipt ? { transaction, receipt, block: taken.block } : null;
  }

  /** True for a transaction that waits for a block or is in one from `since` on. */
  async knows(id: string, since: number): Promise<boolean> {
    return ((await this.waiting(id)) ?? (await this.evmTransaction(id, since))) !== null;
  }

  /** Null for a transaction that waits for no block. */
  async waiting(id: string): Promise<EvmTransaction | null> {
    const next = await this.rpc.call('eth_getBlockByNumber', ['pending', true], evmBlock);
    return next.transactions.find(each => idOf(each) === id) ?? null;
  }

  async evmTransaction(id: string, since?: number): Promise<EvmTransaction | null> {
    const direct = await this.byEvmHash(`0x${id}`);
    if (direct) return idOf(direct) === id ? direct : null;
    const evmHash = await this.index.find(id, since);
    return evmHash === null ? null : this.byEvmHash(evmHash);
  }

  byEvmHash(evmHash: string): Promise<EvmTransaction | null> {
    return this.rpc.call('eth_getTransactionByHash', [evmHash], evmTransaction.nullable());
  }
}
