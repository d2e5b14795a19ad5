import { SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { ScreenedTransfer, Screening, ScreeningVerdict } from '../../kernel/ports/screening';
import type { ScreeningMember } from './screening-member';

export const SCREENING_TIMEOUT_MS = 5 * SECOND_MS;

/**
 * All configured screenings of a network, asked at once. One high risk decides; only all together clear a payer. Any
 * other result counts as not known.
 */
export class ScreeningPanel implements Screening {
  constructor(
    private readonly members: readonly ScreeningMember[],
    private readonly clock: Clock,
    private readonly timeoutMs: number = SCREENING_TIMEOUT_MS,
  ) {}

  /**
   * `source` of a clear verdict names every member that was asked. Throws Refusal screening_timeout when a member fails
   * or takes too long, and where there is no member to ask.
   */
  async screen(transfer: ScreenedTransfer, timeoutMs = this.timeoutMs): Promise<ScreeningVerdict> {
    const members = this.members.filter(member => member.covers(transfer.mode, transfer.network));
    if (members.length === 0) {
      throw refuse('screening_timeout', { message: `Nobody screens ${transfer.network} in ${transfer.mode} mode.` });
    }
    const outcomes = await this.askAll(members, transfer, timeoutMs);
    const verdicts = outcomes.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    const highRisk = verdicts.find(each => each.verdict === 'high_risk');
    if (highRisk) return highRisk;
    const failed = outcomes.findIndex(each => each.status === 'rejected');
    const failure = outcomes[failed];
    if (failure?.status === 'rejected') {
      const message = `${members[failed]?.name} gave no verdict.`;
      throw refuse('screening_timeout', { message, cause: failure.reason });
    }
    return { verdict: 'clear', source: verdicts.map(each => each.source).join('+'), reference: null };
  }

  private async askAll(members: readonly ScreeningMember[], transfer: ScreenedTransfer, timeoutMs: number) {
    const limit = new AbortController();
    const timeUp = this.clock.wait(timeoutMs, limit.signal).then(() => {
      throw refuse('screening_timeout', { message: `No answer within ${timeoutMs} ms.` });
    });
    const answers = members.map(async member => member.screen(transfer));
    const outcomes = await Promise.allSettled(answers.map(answer => Promise.race([answer, timeUp])));
    limit.abort();
    return outcomes;
  }
}
