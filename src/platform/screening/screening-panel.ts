import { SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../kernel/errors';
import { invariant } from '../../kernel/invariant';
import type { Screening, ScreeningVerdict } from '../../kernel/ports/screening';
import type { NetworkId } from '../../kernel/tokens';

export const SCREENING_TIMEOUT_MS = 5 * SECOND_MS;

/** All configured screenings asked at once: one high risk decides, only all together clear, and anything else is not known. */
export class ScreeningPanel implements Screening {
  constructor(
    private readonly members: readonly Screening[],
    private readonly clock: Clock,
    private readonly timeoutMs: number = SCREENING_TIMEOUT_MS,
  ) {
    invariant(members.length > 0, 'a screening panel without members would clear everybody');
  }

  /** `source` of a clear verdict names every member. Throws Refusal screening_timeout when a member fails or takes too long. */
  async screen(network: NetworkId, address: string): Promise<ScreeningVerdict> {
    const limit = new AbortController();
    const timeUp = this.clock.wait(this.timeoutMs, limit.signal).then(() => {
      throw refuse('screening_timeout');
    });
    const answers = this.members.map(async member => member.screen(network, address));
    const settled = await Promise.allSettled(answers.map(answer => Promise.race([answer, timeUp])));
    limit.abort();
    const verdicts = settled.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    const highRisk = verdicts.find(each => each.verdict === 'high_risk');
    if (highRisk) return highRisk;
    const failure = settled.find(each => each.status === 'rejected');
    if (failure) throw refuse('screening_timeout', { cause: failure.reason });
    return { verdict: 'clear', source: verdicts.map(each => each.source).join('+'), reference: null };
  }
}
