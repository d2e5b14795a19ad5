import { refuse } from '../../../kernel/errors';
import { campsOf, disagreement, hostsOf } from './agreement';
import type { Answer, Operation, ProviderPanel } from './provider-panel';
import type { NamedProvider, ProviderState } from './provider-state';

export type Heard<P extends NamedProvider, T> = {
  readonly agreed: Answer<P, T> | null;
  readonly answers: readonly Answer<P, T>[];
  /** How many hosts must say the same, of those that can be asked. */
  readonly needed: number;
};

/** What several providers say alike. Whoever says otherwise than enough of the others rests. */
export class ProviderVotes<P extends NamedProvider> {
  constructor(
    private readonly panel: ProviderPanel<P>,
    /** How many hosts must say the same before it counts. */
    private readonly quorum: number,
    /** The chain's name in errors. */
    private readonly chain: string,
  ) {}

  /**
   * What the quorum says alike about `subject`; while fewer providers than that are present, what all of these say.
   * Whoever says otherwise rests. Throws the first refusal when too few answer, provider_response_invalid when they
   * disagree.
   */
  agree<T>(subject: string, operation: Operation<P, T>): Promise<T> {
    const order = this.panel.order();
    return this.vote(subject, operation, order, this.neededOf(order));
  }

  /** The same, but never on the word of fewer than the quorum: for what money hangs on. */
  async agreeInFull<T>(subject: string, operation: Operation<P, T>): Promise<T> {
    const order = this.panel.order();
    this.requireQuorum(subject, order);
    return this.vote(subject, operation, order, this.quorum);
  }

  /**
   * What enough hosts say alike and whole: the quorum where it must be `full`, as for what coverage goes by. Where too
   * few do, `agreed` is null and `answers` holds what each host says. Throws the fault of a host that could have
   * decided and was not heard.
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
      // A provider is not to blame for a block that it cannot make out.
      const camps = campsOf(answers).filter(([first]) => first && isWhole(first.value));
      const winners = camps.find(camp => camp.length >= needed);
      if (winners) this.blameOthers(subject, camps, winners);
      heard = { agreed: winners?.[0] ?? null, answers, needed };
      return winners?.[0] ?? (exhausted && answers.length === hosts ? answers[0] : undefined);
    });
    return heard;
  }

  /** The operation on each of these. Throws the first fault. */
  async askEach<T>(asked: readonly ProviderState<P>[], operation: Operation<P, T>): Promise<readonly T[]> {
    const outcomes = await Promise.all(asked.map(state => this.panel.attempt(state, operation)));
    return outcomes.map(outcome => {
      if ('fault' in outcome) throw outcome.fault;
      return outcome.value;
    });
  }

  /** The operation on another host than the preferred one; on the only one where one is configured. */
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

  /** How many hosts must say the same, of those in `order`. */
  neededOf(order: readonly ProviderState<P>[]): number {
    return Math.max(1, Math.min(this.quorum, new Set(order.map(({ name }) => name)).size));
  }

  /** What `needed` of these say alike. Whoever says otherwise rests, unless `blaming` is false. */
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
    for (const { by } of camps.filter(camp => camp !== winners).flat()) {
      const message = `${by.name} says otherwise than ${hostsOf(winners)} about ${subject}.`;
      this.panel.blame(by, refuse('provider_response_invalid', { message }));
    }
  }
}
