import { BoundedMap } from '../../kernel/bounded-map';
import { DAY_MS, type Clock } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import type { NetworkId } from '../../vocabulary/networks';
import type { ScreeningMember } from './screening-member';

export const CLEAR_FOR_MS = DAY_MS;
/** Cleared payers, some hundred bytes each; the one cleared longest ago is forgotten first. */
const MAX_CLEARED = 50_000;

/**
 * A screening whose clear verdicts serve for a day, so that a frequent payer is not screened each time. A high risk is
 * never kept.
 */
export class RecentlyCleared implements ScreeningMember {
  private readonly cleared: BoundedMap<string, { readonly verdict: ScreeningVerdict; readonly untilMs: number }>;

  constructor(
    private readonly member: ScreeningMember,
    private readonly clock: Clock,
    maxCleared: number = MAX_CLEARED,
  ) {
    this.cleared = new BoundedMap(maxCleared);
  }

  get name(): string {
    return this.member.name;
  }

  covers(mode: Mode, network: NetworkId): boolean {
    return this.member.covers(mode, network);
  }

  async screen(transfer: ScreenedTransfer): Promise<ScreeningVerdict> {
    const { mode, network, payer, recipient } = transfer;
    const key = [mode, network, payer, recipient].join(' ');
    const known = this.cleared.get(key);
    if (known && this.clock.now() < known.untilMs) return known.verdict;
    this.cleared.delete(key);
    // The day begins with the question: a slow answer is as old as its question.
    const untilMs = this.clock.now() + CLEAR_FOR_MS;
    const verdict = await this.member.screen(transfer);
    if (verdict.verdict === 'clear') this.cleared.set(key, { verdict, untilMs });
    return verdict;
  }
}
