import { refuse } from '../../../vocabulary/errors';
import { campsOf, disagreement, hostsOf } from './agreement';
import type { Answer, Operation, ProviderPanel } from './provider-panel';
import type { NamedProvider, ProviderState } from './provider-state';

type Heard<P extends NamedProvider, T> = {
  readonly agreed: Answer<P, T> | null;
  readonly answers: readonly Answer<P, T>[];
  /** The number of hosts that must give the same answer, of those that can be asked. */
  readonly needed: number;
};

/** Answers on which several providers agree. A provider that differs from enough of the others is paused. */
export class ProviderVotes<P extends NamedProvider> {
  constructor(
    private readonly panel: ProviderPanel<P>,
    /** The number of hosts that must give the same answer before it counts. */
    private readonly quorum: number,
    /** The chain's name in errors. */
    private readonly chain: string,
  ) {}

  /**
   * The quorum's common answer about `subject`; while fewer providers than that are present, the common answer of all
   * of these. A provider that differs is paused. Throws the first refusal when too few answer,
   * provider_response_invalid when they disagree.
   */
  agree<T>(subject: string, operation: Operation<P, T>): Promise<T> {
    const order = this.panel.order();
    return this.vote(subject, operation, order, this.neededOf(order));
  }

  /** The same, but never by fewer than the quorum: for answers on which money depends. */
  async agreeInFull<T>(subject: string, operation: Operation<P, T>): Promise<T> {
    const order = this.panel.order();
    this.requireQuorum(subject, order);
    return this.vote(subject, operation, order, this.quorum);
  }

  /**
   * The common and whole answer of enough hosts: of the quorum where it must be `full`, as for coverage. Where too few
   * agree, `agreed` is null and `answers` holds each host's answer. Throws the fault of a host that could have decided
   * and did not answer.
   */
  async hear<T>(
    subject: string,
    operation: Operation<P, T>,
    isWhole: (value: T) => boolean,
    quorum: 'present' | 'full',
  ): Promise<Heard<P, T>> {
    const order = this.panel.order();
    if (quorum === 'full') this.requireQuorum(subject, order);
    const needed = quorum === 'full' ? this.quorum : this.neededOf(order);
    const hosts = new Set(order.map(({ name }) => name)).size;
    let heard: Heard<P, T> = { agreed: null, answers: [], needed };
    await this.panel.consult(order, needed, operation, (answers, exhausted) => {
      // A provider is not to blame for a block that it cannot read.
      const camps = campsOf(answers).filter(([first]) => first && isWhole(first.value));
      const winners = camps.find(camp => camp.length >= needed);
      if (winners) this.blameOthers(subject, camps, winners);
      heard = { agreed: winners?.[0] ?? null, answers, needed };
      return winners?.[0] ?? (exhausted && answers.length === hosts ? answers[0] : undefined);
    });
    return heard;
  }

  /** The operation on each of these providers. Throws the first fault. */
  async askEach<T>(asked: readonly ProviderState<P>[], operation: Operation<P, T>): Promise<readonly T[]> {
    const outcomes = await Promise.all(asked.map(state => this.panel.attempt(state, operation)));
    return outcomes.map(outcome => {
      if ('fault' in outcome) throw outcome.fault;
      return outcome.value;
    });
  }

  /** The operation on another host than the preferred one; on the only host where one is configured. */
  async second<T>(subject: string, operation: Operation<P, T>): Promise<T> {
    const order = this.panel.order();
    const alone = this.panel.names.length === 1;
    const others = alone ? order : order.filter(({ name }) => name !== order[0]?.name);
    if (others.length === 0) {
      const message = `No second provider of ${this.chain} can be asked for ${subject}.`;
      throw refuse('provider_unavailable', { message });
    }
    return this.vote(subject, operation, others, 1);
  }

  private requireQuorum(subject: string, order: readonly ProviderState<P>[]): void {
    const hosts = new Set(order.map(({ name }) => name)).size;
    if (hosts >= this.quorum || hosts === 0) return;
    const message = `${this.quorum} providers of ${this.chain} must agree on ${subject}; there is ${hosts}.`;
    throw refuse('provider_unavailable', { message });
  }

  /** The number of hosts in `order` that must give the same answer. */
  neededOf(order: readonly ProviderState<P>[]): number {
    return Math.max(1, Math.min(this.quorum, new Set(order.map(({ name }) => name)).size));
  }

  /** The common answer of `needed` of these. A provider that differs is paused, unless `blaming` is false. */
  async vote<T>(
    subject: string,
    operation: Operation<P, T>,
    order: readonly ProviderState<P>[],
    needed: number,
    blaming = true,
  ): Promise<T> {
    const { value } = await this.panel.consult(order, needed, operation, (answers, exhausted) => {
      const camps = campsOf(answers);
      const winners = camps.find(camp => camp.length >= needed);
      if (!winners && exhausted && camps.length > 1) throw disagreement(subject, camps);
      if (winners && blaming) this.blameOthers(subject, camps, winners);
      return winners?.[0];
    });
    return value;
  }

  private blameOthers<T>(
    subject: string,
    camps: readonly (readonly Answer<P, T>[])[],
    winners: readonly Answer<P, T>[],
  ): void {
    for (const { provider } of camps.filter(camp => camp !== winners).flat()) {
      const message = `${provider.name} says otherwise than ${hostsOf(winners)} about ${subject}.`;
      this.panel.blame(provider, refuse('provider_response_invalid', { message }));
    }
  }
}
