import { isRefusal, refuse } from '../../../vocabulary/errors';
import type { BlockHeader, LookedUp, Receipt } from '../../../kernel/ports/chain';
import { ResponseTooLarge } from '../../outbound/http-client';
import type { Operation } from './provider-panel';
import { ProviderPool, type ProviderPoolOptions } from './provider-pool';
import type { NamedProvider } from './provider-state';

/** The greatest receipt that is read for somebody who names its transaction: some six thousand transfers. */
const MOST_RECEIPT_BYTES = 4 * 1_024 * 1_024;
/**
 * Questions of one network under way; more are refused, so that its providers have room for the watcher's questions.
 */
const MOST_UNDER_WAY = 8;

/**
 * Questions that somebody's request causes, to the providers that a watcher asks as well. The providers have a standing
 * of their own here, so that nobody's request pauses one for the watcher. A provider that is paused for the watcher is
 * not asked.
 */
export class Inquiries<P extends NamedProvider> {
  private readonly pool: ProviderPool<P>;
  private readonly headerAt: (provider: P, height: number) => Promise<BlockHeader | null>;
  private underWay = 0;

  constructor(
    options: ProviderPoolOptions<P>,
    private readonly watching: Pick<ProviderPool<P>, 'isResting'>,
  ) {
    // A caller could fill the log.
    this.pool = new ProviderPool({ ...options, log: null });
    this.headerAt = options.headerAt;
  }

  /** The answer of the whole quorum. Throws Refusal provider_unavailable as well while too many others ask. */
  async ask<T>(subject: string, operation: Operation<P, T>): Promise<T> {
    if (this.underWay >= MOST_UNDER_WAY)
      throw refuse('provider_unavailable', { message: 'Too many questions to the providers are under way.' });
    this.underWay += 1;
    try {
      return await this.pool.votes.agreeInFull(subject, provider => {
        if (!this.watching.isResting(provider)) return operation(provider);
        throw refuse('provider_unavailable', { message: `${provider.name} rests.` });
      });
    } finally {
      this.underWay -= 1;
    }
  }

  /** Null while the providers contradict each other. */
  async hashAt(height: number): Promise<string | null> {
    try {
      return await this.ask(`the hash of block ${height}`, async provider => {
        const header = await this.headerAt(provider, height);
        if (header) return header.hash;
        throw refuse('provider_unavailable', { message: `${provider.name} has not got block ${height}.` });
      });
    } catch (error) {
      if (isRefusal(error, 'provider_response_invalid')) return null;
      throw error;
    }
  }

  /** One provider gives both the receipt and its block, so that they are of one view of the chain. */
  lookUp(txHash: string, receiptOf: (provider: P, mostBytes: number) => Promise<Receipt | null>): Promise<LookedUp> {
    return this.ask<LookedUp>(`the transaction ${txHash}`, async provider => {
      try {
        const receipt = await receiptOf(provider, MOST_RECEIPT_BYTES);
        if (receipt === null) return { kind: 'unknown' };
        const block = await this.headerAt(provider, receipt.blockNumber);
        // Where the chain is just moving, its watcher sees the transaction in the block where it stays.
        return block?.hash === receipt.blockHash ? { kind: 'found', receipt, block } : { kind: 'unknown' };
      } catch (error) {
        // The provider is not to blame for the length of a receipt.
        if (isRefusal(error) && error.cause instanceof ResponseTooLarge) return { kind: 'too_large' };
        throw error;
      }
    });
  }
}
