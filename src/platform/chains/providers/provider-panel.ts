import type { Clock } from '../../../kernel/clock';
import { isRefusal, refuse, type Refusal } from '../../../vocabulary/errors';
import { isProviderFault } from '../../../kernel/outage';
import type { Log } from '../../../kernel/ports/log';
import { PauseWanted } from '../../outbound/http-client';
import { ProviderState, type NamedProvider } from './provider-state';

export type PanelOptions<P extends NamedProvider> = {
  /** The providers in order of preference; at least one. */
  readonly providers: readonly P[];
  /** The chain's name in errors and log lines. */
  readonly chain: string;
  /** Whether a provider serves the panel's chain. Throws Refusal provider_unavailable or provider_response_invalid. */
  readonly serves: (provider: P) => Promise<boolean>;
  /**
   * Proves the facts of the chain, such as a token's decimals, before a provider is asked anything else. A refusal
   * other than provider_unavailable and provider_response_invalid excludes the provider until it is inspected again.
   */
  readonly inspect: (provider: P) => Promise<void>;
  readonly clock: Clock;
  /** Gets a line when a provider begins to fail, and when it answers again: each at most once a minute. */
  readonly log: Log | null;
};

export type Answer<P extends NamedProvider, T> = { readonly provider: ProviderState<P>; readonly value: T };
type Outcome<T> = { readonly value: T } | { readonly fault: Refusal };
export type Operation<P, T> = (provider: P) => Promise<T>;

/** All answers so far; `exhausted` when no provider is left to ask. Undefined asks for one more answer. */
type Verdict<P extends NamedProvider, T> = (
  answers: readonly Answer<P, T>[],
  exhausted: boolean,
) => Answer<P, T> | undefined;

/**
 * The providers of one chain and their standing: the order in which to ask them, and the judgement of each by its
 * answers.
 */
export class ProviderPanel<P extends NamedProvider> {
  readonly states: readonly ProviderState<P>[];

  constructor(private readonly options: PanelOptions<P>) {
    this.states = options.providers.map(provider => new ProviderState(provider));
  }

  /** Hosts: two endpoints of one host are one witness. */
  get names(): readonly string[] {
    return [...new Set(this.states.map(({ name }) => name))];
  }

  /**
   * The providers to ask now, by preference, with those that pause after a failure last. A lagging provider is never
   * asked. A provider that is long absent, or serves another chain, is asked only where there is no other.
   */
  order(): readonly ProviderState<P>[] {
    const nowMs = this.options.clock.now();
    const eligible = this.states.filter(state => state.eligible);
    const present = eligible.filter(state => !state.isAbsent(nowMs));
    const asked = [present, eligible].find(some => some.length > 0) ?? this.states.filter(state => this.isDue(state));
    return [...asked].sort((a, b) => Number(a.isResting(nowMs)) - Number(b.isResting(nowMs)));
  }

  /**
   * The providers that may be asked for their head. The lagging ones are among them, since they must show that they
   * have caught up. The absent ones are among them after their pause, and so are those to be inspected again.
   */
  surveyed(): readonly ProviderState<P>[] {
    const nowMs = this.options.clock.now();
    return this.states.filter(state => !state.isExcluded(nowMs) && !state.isResting(nowMs));
  }

  private isDue(state: ProviderState<P>): boolean {
    return state.disqualification !== null && !state.lagging && !state.isExcluded(this.options.clock.now());
  }

  /**
   * Asks `needed` providers at once, then one more at a time, each host until it has answered, until `verdict` gives
   * its result. Throws the first provider's refusal when all have answered without a result. Throws
   * provider_network_mismatch when no provider serves the chain.
   */
  async consult<T>(
    order: readonly ProviderState<P>[],
    needed: number,
    operation: Operation<P, T>,
    verdict: Verdict<P, T>,
  ): Promise<Answer<P, T>> {
    const answers: Answer<P, T>[] = [];
    const faults: Refusal[] = [];
    for (let waiting = order; waiting.length > 0;) {
      const batch = distinctHosts(waiting, Math.max(1, needed - answers.length));
      const outcomes = await Promise.all(batch.map(state => this.attempt(state, operation)));
      for (const [index, provider] of batch.entries()) {
        const outcome = outcomes[index] as Outcome<T>;
        if ('fault' in outcome) faults.push(outcome.fault);
        else answers.push({ provider, value: outcome.value });
      }
      const heard = new Set(answers.map(({ provider }) => provider.name));
      waiting = waiting.filter(state => !batch.includes(state) && !heard.has(state.name));
      const decided = verdict(answers, waiting.length === 0);
      if (decided) return decided;
    }
    throw this.failure(faults);
  }

  /**
   * The operation on one provider, once that provider is found to serve the chain. Throws errors that are no provider's
   * fault.
   */
  async attempt<T>(state: ProviderState<P>, operation: Operation<P, T>): Promise<Outcome<T>> {
    // A paused provider counts like a failed one, or the remaining provider would decide alone. The paused provider
    // gets no question.
    if (state.isPaused(this.options.clock.now())) {
      return { fault: refuse('provider_unavailable', { message: `${state.name} wants to be asked later.` }) };
    }
    try {
      await this.qualify(state);
      const value = await operation(state.provider);
      const { clock, log, chain } = this.options;
      if (state.succeed(clock.now())) log?.info({ provider: state.name, chain }, 'chain provider answers again');
      return { value };
    } catch (error) {
      if (!isRefusal(error) || !(isProviderFault(error) || error === state.disqualification)) throw error;
      this.blame(state, error);
      return { fault: error };
    }
  }

  /** The number of hosts that have answered any question after that moment. */
  answeringSince(timeMs: number): number {
    return new Set(this.states.filter(({ answeredAtMs }) => answeredAtMs > timeMs).map(({ name }) => name)).size;
  }

  /** Pauses a provider after a fault of its own. */
  blame(state: ProviderState<P>, fault: Refusal): void {
    const { clock, log, chain } = this.options;
    const nowMs = clock.now();
    const isNews = state.fail(nowMs);
    if (fault.cause instanceof PauseWanted) state.pause(nowMs, fault.cause.pauseMs);
    if (!isNews) return;
    log?.warn({ provider: state.name, chain, code: fault.code, fault: fault.message }, 'chain provider failed');
  }

  /** The error for a question that no provider could answer. */
  failure(faults: readonly Refusal[]): Refusal {
    const reasons = [...faults, ...this.states.flatMap(({ disqualification }) => disqualification ?? [])];
    const fault = reasons.find(({ code }) => code !== 'provider_network_mismatch') ?? reasons[0];
    if (fault) return fault;
    const { chain } = this.options;
    return this.states.length === 0
      ? refuse('invalid_config', { message: `No provider is configured for ${chain}.` })
      : refuse('provider_unavailable', { message: `Too few providers of ${chain} can be asked.` });
  }

  private async qualify(state: ProviderState<P>): Promise<void> {
    const { chain, clock, serves, inspect } = this.options;
    if (state.disqualification && state.isExcluded(clock.now())) throw state.disqualification;
    if (state.inspected) return;
    try {
      if (!(await serves(state.provider))) {
        throw refuse('provider_network_mismatch', { message: `${state.name} does not serve ${chain}.` });
      }
      await inspect(state.provider);
      state.readmit(true);
    } catch (error) {
      const transient = isRefusal(error, 'provider_unavailable') || isRefusal(error, 'provider_response_invalid');
      if (isRefusal(error) && !transient) state.exclude(error, clock.now());
      throw error;
    }
  }
}

function distinctHosts<P extends NamedProvider>(states: readonly ProviderState<P>[], most: number) {
  const batch: ProviderState<P>[] = [];
  for (const state of states) {
    if (batch.length < most && !batch.some(({ name }) => name === state.name)) batch.push(state);
  }
  return batch;
}
