import { isRefusal, refuse } from '../../../vocabulary/errors';
import type { BlockHeader, RangeReading } from '../../../kernel/ports/chain';
import type { ChainBalances } from '../../../kernel/ports/chain-balances';
import { StateGone } from '../balances';
import type { Dialect } from './dialect';
import { ProviderPool, type ProviderPoolOptions } from './provider-pool';
import { RangeReader, type RangeProvider } from './range-reader';
import { ReadingAgreement } from './reading-agreement';

/**
 * The books' questions to the providers that a watcher asks as well. The providers have a standing of their own here,
 * so that the books pause none for the watcher. A provider that is paused for the watcher is not asked.
 */
export class PooledBalances<P extends RangeProvider> implements ChainBalances {
  private readonly pool: ProviderPool<P>;
  private readonly ranges: RangeReader<P>;

  constructor(
    options: ProviderPoolOptions<P>,
    private readonly dialect: Pick<Dialect<P>, 'scan' | 'receiptOf' | 'headerAt' | 'balanceOf'>,
    private readonly watching: Pick<ProviderPool<P>, 'isResting'>,
  ) {
    const { headerAt, scan, receiptOf } = dialect;
    // The watcher tells of a provider's faults already.
    this.pool = new ProviderPool({ ...options, log: null });
    const agreement = new ReadingAgreement<P>(this.pool, (provider, txHash, contracts, parties) =>
      receiptOf(provider, txHash, contracts, parties, undefined, 'either'),
    );
    this.ranges = new RangeReader(
      this.pool,
      agreement,
      (provider, contract, parties) => ({
        inRange: (from, to) => {
          this.requireAwake(provider);
          return scan(provider, contract, parties, 'either').inRange(from, to);
        },
      }),
      headerAt,
    );
  }

  movementsInRange(from: number, to: number, contract: string, parties: readonly string[]): Promise<RangeReading> {
    return this.ranges.read(from, to, contract, parties);
  }

  async balanceAt(
    contract: string,
    owner: string,
    { number, hash }: Pick<BlockHeader, 'number' | 'hash'>,
  ): Promise<bigint | null> {
    try {
      return await this.pool.votes.agreeInFull(`the balance of ${owner} at block ${number}`, provider => {
        this.requireAwake(provider);
        return this.dialect.balanceOf(provider, contract, owner, { number, hash });
      });
    } catch (error) {
      if (isRefusal(error) && error.cause instanceof StateGone) return null;
      throw error;
    }
  }

  private requireAwake(provider: P): void {
    if (this.watching.isResting(provider)) throw refuse('provider_unavailable', { message: `${provider.name} rests.` });
  }
}
