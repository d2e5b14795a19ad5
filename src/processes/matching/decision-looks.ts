import { BoundedMap } from '../../kernel/bounded-map';
import { MINUTE_MS } from '../../kernel/clock';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { CanonicalBlocks } from '../../kernel/ports/canonical-blocks';
import type { BlockHeader, Chain, LookedUp } from '../../kernel/ports/chain';
import type { NetworkId } from '../../vocabulary/networks';
import { LookUpBudget, type LookUpRate } from './look-up-budget';
import type { WatchedChains } from './transfer-moment';

export type DecisionRates = {
  readonly asker: LookUpRate;
  /** The rate of all administrators on one network together. */
  readonly network: LookUpRate;
};

/** People decide on one row or one payment at a time, and most payments have one transfer. */
export const DECISION_RATES: DecisionRates = {
  asker: { burst: 8, perSecond: 0.5, underWay: 2 },
  network: { burst: 16, perSecond: 1, underWay: 4 },
};

/**
 * A block that was found canonical is not asked for again for so long. A decision on very many transfers asks for more
 * blocks than an asker's budget allows at once, and is refused. Each further try asks only for the blocks that are
 * still missing. Within this time the budget allows more blocks than a payment has transfers.
 */
const KEPT_MS = 5 * MINUTE_MS;
const MOST_KEPT = 4_096;

/**
 * Asks the chain once more for the blocks and transactions of a decision. The questions come from requests, beside
 * those of the watcher. Their budget is apart from that of namings, because anybody at a checkout can use that one up.
 */
export class DecisionLooks implements CanonicalBlocks {
  private readonly budget: LookUpBudget;
  /** The moment at which each block was found canonical. */
  private readonly found = new BoundedMap<string, number>(MOST_KEPT);

  constructor(
    private readonly watched: WatchedChains,
    private readonly clock: { now(): number },
    private readonly rates: DecisionRates = DECISION_RATES,
  ) {
    this.budget = new LookUpBudget(clock);
  }

  /** Throws Refusal provider_unavailable where no provider answers, rate_limit where the budget is used up. */
  transaction(mode: Mode, network: NetworkId, txHash: string, askedBy: string): Promise<LookedUp> {
    const chain = this.chainOf(mode, network, `The transaction ${txHash}`);
    return this.within(mode, network, askedBy, () => chain.lookUp(txHash, 'whole'));
  }

  async isCanonical(
    mode: Mode,
    network: NetworkId,
    { number, hash }: Pick<BlockHeader, 'number' | 'hash'>,
    askedBy: string,
  ): Promise<boolean> {
    const name = `${mode}:${network}:${number}:${hash}`;
    if (this.clock.now() - (this.found.get(name) ?? -Infinity) < KEPT_MS) return true;
    const subject = `Block ${number} of ${network}`;
    const chain = this.chainOf(mode, network, subject);
    const agreed = await this.within(mode, network, askedBy, () => chain.lookUpHash(number));
    if (agreed === null) throw unanswered(subject);
    if (agreed !== hash) return false;
    this.found.set(name, this.clock.now());
    return true;
  }

  private chainOf(mode: Mode, network: NetworkId, subject: string): Chain {
    const chain = this.watched(mode, network)?.chain;
    if (!chain) throw unanswered(subject);
    return chain;
  }

  private async within<T>(mode: Mode, network: NetworkId, askedBy: string, ask: () => Promise<T>): Promise<T> {
    const { asker, network: ofNetwork } = this.rates;
    const end = this.budget.take({ [`${mode}:${askedBy}`]: asker, [`${mode}:${network}`]: ofNetwork });
    if (end === null) {
      const message = `Too many decisions ask ${network} at the moment; try again in a few seconds.`;
      throw refuse('rate_limit', { message });
    }
    try {
      return await ask();
    } catch (error) {
      // Providers that contradict each other are asked again as well.
      if (!isRefusal(error, 'provider_response_invalid')) throw error;
      throw refuse('provider_unavailable', { message: error.message, cause: error });
    } finally {
      end();
    }
  }
}

function unanswered(subject: string) {
  return refuse('provider_unavailable', { message: `${subject} cannot be checked.` });
}
