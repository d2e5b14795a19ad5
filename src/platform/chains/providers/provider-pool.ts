import { MINUTE_MS } from '../../../kernel/clock';
import { isRefusal, refuse, type Refusal } from '../../../vocabulary/errors';
import { isProviderFault } from '../../../kernel/outage';
import { isUnanswered, type BlockHeader } from '../../../kernel/ports/chain';
import type { ProviderStanding } from '../../../kernel/ports/provider-standing';
import { campsOf, hostsOf } from './agreement';
import { HeadMark } from './head-mark';
import { LagSurvey } from './lag-survey';
import { OwnFaults } from './own-faults';
import { ProviderPanel, type Answer, type Operation, type PanelOptions } from './provider-panel';
import type { NamedProvider, ProviderState } from './provider-state';
import { ProviderVotes } from './provider-votes';

/**
 * The greatest distance below the head of the newest block on which the providers agree: micro-forks are a block or two
 * deep.
 */
const MOST_STEPS_BACK = 3;
/** Further apart than this, one of two providers stands still or runs ahead, and a third one is asked. */
const MOST_FINALITY_APART = 20;
const DISPUTE_TOLD_EVERY_MS = MINUTE_MS;

export type ProviderPoolOptions<P extends NamedProvider> = PanelOptions<P> & {
  /** The number of hosts that must give the same answer before it counts; all, where fewer hosts are configured. */
  readonly quorum: number;
  readonly headOf: Operation<P, BlockHeader>;
  /** Null above the provider's head. */
  readonly headerAt: (provider: P, height: number) => Promise<BlockHeader | null>;
  readonly finalizedOf: Operation<P, number>;
};

/**
 * The providers of one chain as one voice. A provider that serves another chain is excluded; a provider that fails,
 * lags or is outvoted is replaced by the next. Every operation runs as a whole on one provider, so that no answer mixes
 * two views of the chain.
 */
export class ProviderPool<P extends NamedProvider> {
  /** The number of hosts that must agree before a block is final. */
  readonly quorum: number;
  readonly votes: ProviderVotes<P>;
  readonly ownFaults: OwnFaults<P>;
  private readonly panel: ProviderPanel<P>;
  private readonly survey: LagSurvey<P>;
  private readonly mark = new HeadMark();
  private finalized: number | null = null;
  private disputeToldMs: number | null = null;
  private short = false;

  constructor(private readonly options: ProviderPoolOptions<P>) {
    this.panel = new ProviderPanel(options);
    this.survey = new LagSurvey(this.panel, options.headOf, options);
    this.quorum = Math.min(options.quorum, Math.max(1, this.panel.names.length));
    this.votes = new ProviderVotes(this.panel, this.quorum, options.chain);
    this.ownFaults = new OwnFaults(this.panel, options.clock, this.quorum, options.headOf);
  }

  /** Hosts: two endpoints of one host are one witness. */
  get names(): readonly string[] {
    return this.panel.names;
  }

  get standings(): readonly ProviderStanding[] {
    const nowMs = this.options.clock.now();
    return this.panel.states.map(state => state.standing(nowMs));
  }

  /** Whether the provider failed lately, or asked for a pause. */
  isResting(provider: P): boolean {
    const nowMs = this.options.clock.now();
    return this.panel.states.some(state => state.provider === provider && state.isResting(nowMs));
  }

  /**
   * Inspects every provider anew. Throws a provider's refusal that is not about its chain, where two inspections find
   * it. Otherwise throws when no provider is left.
   */
  async check(): Promise<void> {
    const { states } = this.panel;
    const inspected = async (state: ProviderState<P>): Promise<Refusal[]> => {
      state.readmit(false);
      const outcome = await this.panel.attempt(state, () => Promise.resolve());
      return 'fault' in outcome ? [outcome.fault] : [];
    };
    const found = await Promise.all(
      states.map(async state => {
        const faults = await inspected(state);
        return faults.every(isProviderFault) ? faults : inspected(state);
      }),
    );
    const faults = found.flat();
    const misconfigured = faults.find((fault): boolean => !isProviderFault(fault));
    if (misconfigured) throw misconfigured;
    if (faults.length === states.length) throw this.panel.failure(faults);
  }

  /**
   * The highest block that enough providers have reached and give the same hash. A slower provider that is asked does
   * not make the head go back. A lower head is refused as provider_unavailable for half a minute, and told in the log
   * after that.
   */
  async head(): Promise<BlockHeader> {
    await this.survey.runWhenDue();
    const order = this.panel.order();
    const needed = this.votes.neededOf(order);
    this.tellShortage(needed);
    let heard: readonly Answer<P, BlockHeader>[] = [];
    const { value: reached } = await this.panel.consult(order, needed, this.options.headOf, (answers, exhausted) => {
      heard = [...answers].sort((a, b) => b.value.number - a.value.number);
      const nth = heard[needed - 1];
      return nth && (exhausted || nth.value.number >= this.mark.height) ? nth : undefined;
    });
    // The providers must agree on the block's time and parent as well, so that neither is a single provider's word.
    const alike = campsOf(heard.filter(({ value }) => value.hash === reached.hash)).find(camp => camp.length >= needed);
    const head = alike?.[0]?.value ?? (await this.newestAgreed(reached.number, order, needed));
    return this.held(head, heard);
  }

  async blockAt(height: number): Promise<BlockHeader | null> {
    const question = `block ${height}`;
    const ask: Operation<P, BlockHeader | null> = provider => this.options.headerAt(provider, height);
    return this.ownFaults.watched(question, () => this.votes.agree(question, ask));
  }

  /**
   * Null while fewer than the quorum give the block at `height` the same hash; the log then names each provider's
   * answer.
   */
  async agreedHash(height: number): Promise<string | null> {
    try {
      return await this.inFull(height, `the hash of block ${height}`, ({ hash }) => hash);
    } catch (error) {
      return this.nullWhereDisputed(height, error);
    }
  }

  /**
   * The same for all facts of the block: providers may agree on its hash and differ on its time. Throws Refusal with
   * BlockUnanswered as its cause where they have differed for long.
   */
  async agreedBlock(height: number): Promise<BlockHeader | null> {
    const question = `all of block ${height}`;
    try {
      return await this.ownFaults.watched(question, () => this.inFull(height, question, header => header));
    } catch (error) {
      if (isUnanswered(error)) throw error;
      return this.nullWhereDisputed(height, error);
    }
  }

  private inFull<T>(height: number, subject: string, of: (header: BlockHeader) => T): Promise<T> {
    return this.votes.agreeInFull(subject, async provider => {
      const header = await this.options.headerAt(provider, height);
      if (header) return of(header);
      throw refuse('provider_unavailable', { message: `${provider.name} has not got block ${height}.` });
    });
  }

  private nullWhereDisputed(height: number, error: unknown): null {
    if (!isProviderFault(error)) throw error;
    this.tellDispute(height, error.message);
    return null;
  }

  /**
   * The highest height that the quorum has reached. Where answers lie far apart, the other providers are asked too. The
   * height stays while fewer than the quorum can be asked: no block becomes final on the word of too few.
   */
  async finalizedHeight(): Promise<number> {
    try {
      const { value } = await this.panel.consult(
        this.panel.order(),
        this.quorum,
        this.options.finalizedOf,
        (answers, exhausted) => {
          const heights = [...answers].sort((a, b) => b.value - a.value);
          const [highest, nth] = [heights[0], heights[this.quorum - 1]];
          const isApart = highest && nth && highest.value - nth.value > MOST_FINALITY_APART;
          return isApart && !exhausted ? undefined : nth;
        },
      );
      // Two providers once told this height: at least one of them was right.
      this.finalized = this.quorum > 1 ? Math.max(value, this.finalized ?? 0) : value;
      return this.finalized;
    } catch (error) {
      const known = this.quorum > 1 && isProviderFault(error) ? this.finalized : null;
      if (known === null) throw error;
      return known;
    }
  }

  private async newestAgreed(from: number, order: readonly ProviderState<P>[], needed: number): Promise<BlockHeader> {
    let dispute: Refusal | null = null;
    for (let height = from; height >= 0 && height >= from - MOST_STEPS_BACK; height--) {
      try {
        // At the head of the chain honest providers differ as well.
        const ask: Operation<P, BlockHeader | null> = provider => this.options.headerAt(provider, height);
        const header = await this.votes.vote(`block ${height}`, ask, order, needed, false);
        if (header) return header;
      } catch (error) {
        if (!isRefusal(error, 'provider_response_invalid')) throw error;
        dispute = error;
      }
    }
    throw dispute ?? refuse('provider_unavailable', { message: `No provider has block ${from} any more.` });
  }

  private held(head: BlockHeader, heard: readonly Answer<P, BlockHeader>[]): BlockHeader {
    const { clock, chain, log } = this.options;
    const reports = heard.map(({ provider, value }) => ({ name: provider.name, height: value.number }));
    const from = this.mark.height;
    const judgement = this.mark.judge(head.number, reports, clock.now());
    if (judgement === 'held') {
      const message = `${hostsOf(heard)} stand at block ${head.number}; ${from} has been seen of ${chain}.`;
      throw refuse('provider_unavailable', { message });
    }
    if (judgement === 'back') {
      log?.warn({ chain, from, to: head.number, providers: reports.map(({ name }) => name) }, 'chain head went back');
    }
    return head;
  }

  tellDispute(height: number, fault: string): void {
    const { clock, log, chain } = this.options;
    const nowMs = clock.now();
    if (this.disputeToldMs !== null && nowMs - this.disputeToldMs < DISPUTE_TOLD_EVERY_MS) return;
    this.disputeToldMs = nowMs;
    log?.warn({ chain, height, providers: this.panel.names, fault }, 'chain providers do not agree on a block');
  }

  private tellShortage(present: number): void {
    const { log, chain } = this.options;
    const short = present < this.quorum;
    if (short === this.short) return;
    this.short = short;
    const facts = { chain, present, required: this.quorum };
    if (short) log?.warn(facts, 'too few chain providers: transfers are seen, none is confirmed');
    else log?.info(facts, 'enough chain providers again');
  }
}
