import { BoundedMap } from '../../kernel/bounded-map';
import { MINUTE_MS } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import { outageOf } from '../../kernel/outage';
import type { Chain, LookedUp } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import { Tally } from '../../kernel/tally';
import type { NetworkId } from '../../vocabulary/networks';
import { LOOK_UP_RATES, LookUpBudget, type LookUpRates } from './look-up-budget';
import type { WatchedChains } from './transfer-moment';

/** Transactions whose answer is kept; the oldest answer goes first. */
const MOST_KEPT = 4_096;
/** An answer with more transfers is not kept. */
const MOST_TRANSFERS_KEPT = 50;
/** An answer counts for so long where the watcher comes to no newer block. */
const KEPT_MS = MINUTE_MS;

/** `later`: the budget is used up, or no provider can be asked. */
export type Look = LookedUp | { readonly kind: 'later' };

type LookUpQuestion = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly txHash: string;
  /** The merchant of the request; null for a look that waits for later. */
  readonly merchantId: string | null;
  /** Hash of the block in which the transaction was seen: an older answer is of no use. */
  readonly seenIn?: string;
};

type TransactionLookUpsParts = {
  readonly watched: WatchedChains;
  /** The height to which the network is known; null where nobody has watched it yet. */
  readonly headOf: (mode: Mode, network: NetworkId) => Promise<number | null>;
  readonly clock: { now(): number };
  readonly log: Log;
  readonly rates?: LookUpRates;
};

/**
 * The most questions for one transaction in one block, where no known block holds it: a block may have come that the
 * watcher lacks.
 */
const MOST_ASKED = 2;

type Kept = {
  readonly look: Promise<LookedUp>;
  answer: LookedUp | null;
  readonly head: number | null;
  atMs: number;
  readonly times: number;
};

/**
 * Looks at named transactions within a budget. So no merchant's namings take the providers from the watcher, or from
 * other merchants. One transaction is asked for once or twice a block, and one that is too large once.
 */
export class TransactionLookUps {
  private readonly kept = new BoundedMap<string, Kept>(MOST_KEPT);
  private readonly budget: LookUpBudget;
  private readonly rates: LookUpRates;
  private readonly unanswered: Tally;

  constructor(private readonly parts: TransactionLookUpsParts) {
    this.budget = new LookUpBudget(parts.clock);
    this.rates = parts.rates ?? LOOK_UP_RATES;
    this.unanswered = new Tally(parts.clock, parts.log, 'named transactions are looked at later: no provider answers');
  }

  async look(question: LookUpQuestion): Promise<Look> {
    const { mode, network, txHash, merchantId } = question;
    const chain = this.parts.watched(mode, network)?.chain;
    if (!chain) return { kind: 'later' };
    const name = `${mode}:${network}:${txHash}`;
    const head = await this.parts.headOf(mode, network);
    const known = this.kept.get(name);
    if (known && this.isFresh(known, head, question)) return this.answered(known.look, question);
    const end = this.budget.take(this.accountsOf(mode, network, merchantId));
    if (end === null) return { kind: 'later' };
    return this.answered(this.ask(name, chain, txHash, head, known).finally(end), question);
  }

  private accountsOf(mode: Mode, network: NetworkId, merchantId: string | null) {
    const { merchant, network: ofNetwork, later } = this.rates;
    if (merchantId === null) return { [`${mode}:${network}:later`]: later };
    return { [`${mode}:${merchantId}`]: merchant, [`${mode}:${network}`]: ofNetwork };
  }

  private isFresh(
    { answer, head: askedAt, atMs, times }: Kept,
    head: number | null,
    { seenIn }: LookUpQuestion,
  ): boolean {
    if (answer?.kind === 'too_large') return true;
    if (seenIn !== undefined && !(answer?.kind === 'found' && answer.block.hash === seenIn)) return false;
    if (answer === null) return true;
    if (answer.kind === 'unknown' && times < MOST_ASKED) return false;
    return askedAt === head && this.parts.clock.now() - atMs < KEPT_MS;
  }

  private ask(name: string, chain: Chain, txHash: string, head: number | null, before?: Kept): Promise<LookedUp> {
    const look = chain.lookUp(txHash);
    const times = before?.head === head ? before.times + 1 : 1;
    const kept: Kept = { look, answer: null, head, atMs: this.parts.clock.now(), times };
    this.kept.set(name, kept);
    const forget = (): void => {
      if (this.kept.get(name) === kept) this.kept.delete(name);
    };
    return look.then(
      answer => {
        kept.answer = answer;
        if (answer.kind === 'found' && answer.receipt.transfers.length > MOST_TRANSFERS_KEPT) forget();
        return answer;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
  }

  private async answered(look: Promise<LookedUp>, { mode, network }: LookUpQuestion): Promise<Look> {
    try {
      return await look;
    } catch (error) {
      if (outageOf(error) !== 'provider') throw error;
      this.unanswered.add({ mode, network, err: error });
      return { kind: 'later' };
    }
  }
}
