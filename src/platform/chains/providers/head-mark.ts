import { SECOND_MS } from '../../../kernel/clock';

/** A lower head is refused for so long, while the providers of the higher one are away and the others come up to it. */
const HOLD_MS = 30 * SECOND_MS;

type HeadReport = { readonly name: string; readonly height: number };

/**
 * `held`: the head is lower than an earlier one only because other providers are asked now. `back`: the chain itself is
 * shorter.
 */
type HeadJudgement = 'admitted' | 'held' | 'back';

/**
 * The highest head that was given out, and its providers: a switch to a slower provider must not look like a shorter
 * chain.
 */
export class HeadMark {
  private holders: ReadonlySet<string> = new Set();
  private metAtMs = 0;

  height = -1;

  judge(height: number, reports: readonly HeadReport[], nowMs: number): HeadJudgement {
    if (height >= this.height) {
      this.move(height, reports, nowMs);
      return 'admitted';
    }
    const retracted = reports.some(report => this.holders.has(report.name) && report.height < this.height);
    if (!retracted && nowMs - this.metAtMs < HOLD_MS) return 'held';
    this.move(height, reports, nowMs);
    return 'back';
  }

  private move(height: number, reports: readonly HeadReport[], nowMs: number): void {
    this.height = height;
    this.holders = new Set(reports.filter(report => report.height >= height).map(({ name }) => name));
    this.metAtMs = nowMs;
  }
}
