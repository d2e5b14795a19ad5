import type { ProviderStanding } from '../../../kernel/ports/provider-standing';
import { isoTime, MINUTE_MS, SECOND_MS, type Clock } from '../../../kernel/clock';
import { refuse } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import {
  isUnanswered,
  type BlockHeader,
  type BlockReading,
  type Chain,
  type LookedUp,
  type RangeReading,
  type Receipt,
} from '../../../kernel/ports/chain';
import type { ChainBalances } from '../../../kernel/ports/chain-balances';
import type { ContractReader } from '../../../kernel/ports/contract-reader';
import type { Log } from '../../../kernel/ports/log';
import { TOKENS, type Token, type TokenId } from '../../../vocabulary/tokens';
import { SystemClock } from '../../clock/system-clock';
import type { Dialect } from './dialect';
import { Inquiries } from './inquiries';
import { PooledBalances } from './pooled-balances';
import { ProviderPool } from './provider-pool';
import { ReadingAgreement } from './reading-agreement';
import { RangeReader, type RangeProvider } from './range-reader';

export const DEFAULT_TIMEOUT_MS = 10 * SECOND_MS;
/**
 * The tokens' contracts are years old. A provider without one, whose newest block is older than this, is only still
 * syncing.
 */
const SYNCED_WITHIN_MS = 10 * MINUTE_MS;
/** The number of configured hosts that must give the same answer. On a testnet no money depends on it. */
const QUORUM: Readonly<Record<Mode, number>> = { live: 2, test: 1 };

export type ChainOptions = {
  readonly mode: Mode;
  /** The providers' URLs, in order of preference. */
  readonly urls: readonly string[];
  /** Gets a line when a provider begins to fail, and when it answers again. */
  readonly log?: Log | null;
  /** The clock of a provider's pause after a failure; by default the machine's. */
  readonly clock?: Clock;
  /** The limit for one call to one provider; 10 seconds by default. */
  readonly timeoutMs?: number;
};

/**
 * A network by its providers. In live mode with several of them, the word of only one provider never counts. Each
 * answer below is then that of two providers (ProviderPool tells what happens while one is away). Hashes are taken in
 * any case.
 */
export class PooledChain<P extends RangeProvider> implements Chain, ContractReader {
  /** The questions of the books. */
  readonly balances: ChainBalances;
  private readonly pool: ProviderPool<P>;
  private readonly agreement: ReadingAgreement<P>;
  private readonly ranges: RangeReader<P>;
  private readonly inquiries: Inquiries<P>;
  private readonly tokens: readonly Token[];
  private readonly mode: Mode;
  private readonly clock: Clock;
  /** Whether the last block that was asked for by its hash was unanswered. */
  private isUnansweredRun = false;

  constructor(
    private readonly dialect: Dialect<P>,
    connected: readonly P[],
    { mode, clock = new SystemClock(), log = null }: ChainOptions,
  ) {
    const { chain, serves, headOf, headerAt, finalizedOf, scan } = dialect;
    const answers = { headOf, headerAt, finalizedOf };
    const standing = { chain, serves, inspect: (provider: P) => this.inspect(provider) };
    const options = { providers: connected, quorum: QUORUM[mode], ...standing, ...answers, clock, log };
    this.pool = new ProviderPool(options);
    this.inquiries = new Inquiries(options, this.pool);
    this.balances = new PooledBalances(options, dialect, this.pool);
    this.agreement = new ReadingAgreement(this.pool, dialect.receiptOf);
    this.ranges = new RangeReader(this.pool, this.agreement, scan, headerAt);
    this.tokens = Object.values(TOKENS).filter(({ network }) => network === dialect.network);
    this.mode = mode;
    this.clock = clock;
  }

  get providers(): readonly string[] {
    return this.pool.names;
  }

  get standings(): readonly ProviderStanding[] {
    return this.pool.standings;
  }

  /** Asks every provider. Throws Refusal invalid_token_config as well. */
  check(): Promise<void> {
    return this.pool.check();
  }

  head(): Promise<BlockHeader> {
    return this.pool.head();
  }

  finalizedHeight(): Promise<number> {
    return this.pool.finalizedHeight();
  }

  blockAt(height: number): Promise<BlockHeader | null> {
    return this.pool.blockAt(height);
  }

  async transfersInBlock(hash: string, contract: string, recipients: readonly string[]): Promise<BlockReading> {
    const asked = hash.toLowerCase();
    const question = { subject: `the transfers in block ${asked}`, quorum: 'present', contract, recipients } as const;
    const { scan } = this.dialect;
    const read = (isLate: boolean): Promise<BlockReading> =>
      this.agreement.readSurely(question, provider => scan(provider, contract, recipients).inBlock(asked, isLate));
    const isFurther = this.isUnansweredRun || this.ranges.isInRun;
    try {
      const reading = await this.pool.ownFaults.watched(question.subject, () => read(false), isFurther);
      this.isUnansweredRun = false;
      return reading;
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      this.isUnansweredRun = true;
      // Perhaps the providers only fail to tell one transaction of the block.
      return read(true).catch(() => Promise.reject(error));
    }
  }

  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]): Promise<RangeReading> {
    return this.ranges.read(from, to, contract, recipients);
  }

  /** Transfers of this network's approved tokens only. */
  receipt(txHash: string): Promise<Receipt | null> {
    return this.pool.votes.agreeInFull(`the receipt of ${txHash}`, provider => this.receiptFrom(provider, txHash));
  }

  agreedHash(height: number): Promise<string | null> {
    return this.pool.agreedHash(height);
  }

  agreedBlock(height: number): Promise<BlockHeader | null> {
    return this.pool.agreedBlock(height);
  }

  secondReceipt(txHash: string): Promise<Receipt | null> {
    return this.pool.votes.second(`the receipt of ${txHash}`, provider => this.receiptFrom(provider, txHash));
  }

  readContract(address: string, data: string): Promise<string | null> {
    return this.inquiries.ask(`what ${address} answers`, provider =>
      this.dialect.contractAnswer(provider, address, data),
    );
  }

  lookUp(txHash: string, length?: 'whole'): Promise<LookedUp> {
    return this.inquiries.lookUp(txHash, (provider, mostBytes) =>
      this.receiptFrom(provider, txHash, length === 'whole' ? undefined : mostBytes),
    );
  }

  lookUpHash(height: number): Promise<string | null> {
    return this.inquiries.hashAt(height);
  }

  private receiptFrom(provider: P, txHash: string, mostBytes?: number): Promise<Receipt | null> {
    const approved = this.tokens.map(token => token.contract[this.mode]);
    return this.dialect.receiptOf(provider, txHash.toLowerCase(), approved, null, mostBytes);
  }

  private async inspect(provider: P): Promise<void> {
    const { decimalsOf, tokenStandard } = this.dialect;
    for (const { id, contract, decimals } of this.tokens) {
      const found = await decimalsOf(provider, contract[this.mode]);
      if (found === BigInt(decimals)) continue;
      if (found === null) await this.requireSynced(provider, id);
      const fault = found === null ? `is no ${tokenStandard} contract` : `has ${found} decimals, not ${decimals}`;
      throw refuse('invalid_token_config', { param: id, message: `${id} ${fault}, says ${provider.name}.` });
    }
  }

  /** Throws provider_unavailable where the provider is still syncing; the provider is inspected again afterwards. */
  private async requireSynced(provider: P, missing: TokenId): Promise<void> {
    const { number, timeMs } = await this.dialect.headOf(provider);
    if (this.clock.now() - timeMs <= SYNCED_WITHIN_MS) return;
    const message = `${provider.name} has not got ${missing} yet: its newest block ${number} is of ${isoTime(timeMs)}.`;
    throw refuse('provider_unavailable', { message });
  }
}
