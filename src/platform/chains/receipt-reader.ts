import { refuse } from '../../vocabulary/errors';
import type { BlockReading, ObservedTransfer } from '../../kernel/ports/chain';
import { isAboutWidth, isTooLarge, mayBeInParts } from './evm/log-span';
import { invalidResponse } from './http-post';
import { foundIn, isInvalid, joined, NOTHING, unreadable, type BlockPlace } from './readings';

const RECEIPT_CONCURRENCY = 8;

export type ListedBlock = BlockPlace & { readonly transactions: readonly string[] };

/** `unusable`: transactions whose receipts in an answer for the whole block cannot be used. */
export type BlockReceipts = { readonly transfers: readonly ObservedTransfer[]; readonly unusable: readonly string[] };

/**
 * The questions to one provider for receipts. Throws Refusal provider_response_invalid for a receipt that cannot be
 * used.
 */
export type ReceiptSource<R> = {
  readonly name: string;
  /** Null when the provider no longer has the block. */
  readonly ofBlock: (block: ListedBlock) => Promise<BlockReceipts | null>;
  /** Null for a transaction in no block, or in another block. */
  readonly inBlock: (block: BlockPlace, txHash: string) => Promise<R | null>;
  readonly transfersOf: (receipt: R, block: BlockPlace) => readonly ObservedTransfer[];
};

/** Throws Refusal provider_response_invalid for a receipt that contradicts the provider's other answers. */
type Check<R> = (receipt: R) => void;

/**
 * Reads transfers from receipts of one provider: a whole block at once, and otherwise one transaction after the other.
 * A receipt that the provider lacks is unread where its block is final, or was asked for long enough. In a newer block
 * the receipt may be on its way, so that the question is refused.
 */
export class ReceiptReader<R> {
  constructor(
    private readonly source: ReceiptSource<R>,
    private readonly isLate: boolean,
  ) {}

  async ofBlock(block: ListedBlock): Promise<BlockReading> {
    const { transactions } = block;
    if (transactions.length === 0) return NOTHING;
    try {
      const found = await this.source.ofBlock(block);
      if (!found)
        throw refuse('provider_unavailable', { message: `${this.source.name} has not got block ${block.hash}.` });
      const unusable = await this.each(found.unusable, txHash => this.ofTransaction(block, txHash));
      return joined([foundIn(found.transfers), unusable]);
    } catch (error) {
      if (!mayBeInParts(error)) throw error;
      const read = async (txHash: string) => (await this.readIn(block, txHash)) ?? this.lacking(block, txHash, error);
      // One question alone shows whether the provider answers at all.
      const first = await this.each(transactions.slice(0, 1), read);
      return joined([first, await this.each(transactions.slice(1), read)]);
    }
  }

  /** The reading of one transaction of the block, unless `check` finds a fault. */
  async ofTransaction(block: BlockPlace, txHash: string, check?: Check<R>): Promise<BlockReading> {
    const fault = invalidResponse('a receipt', `has not got ${txHash} in block ${block.hash}`);
    return (await this.readIn(block, txHash, check)) ?? this.lacking(block, txHash, fault);
  }

  async each<T>(all: readonly T[], read: (one: T) => Promise<BlockReading>): Promise<BlockReading> {
    const readings: BlockReading[] = [];
    for (let start = 0; start < all.length; start += RECEIPT_CONCURRENCY) {
      readings.push(...(await Promise.all(all.slice(start, start + RECEIPT_CONCURRENCY).map(read))));
    }
    return joined(readings);
  }

  private async readIn(block: BlockPlace, txHash: string, check?: Check<R>): Promise<BlockReading | null> {
    try {
      const receipt = await this.source.inBlock(block, txHash);
      if (receipt === null) return null;
      check?.(receipt);
      return foundIn(this.source.transfersOf(receipt, block));
    } catch (error) {
      // No narrower question is possible.
      if (isInvalid(error) || isAboutWidth(error) || isTooLarge(error)) return unreadable(block, txHash);
      throw error;
    }
  }

  private lacking(block: BlockPlace, txHash: string, fault: unknown): BlockReading {
    if (this.isLate) return unreadable(block, txHash);
    throw fault;
  }
}
