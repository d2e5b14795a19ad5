import {
  clockOf,
  DEADLINE_KINDS,
  deadlinesProjection,
  type DeadlineDocument,
  type DeadlineKind,
} from '../../../projections/deadlines/deadlines.projection';
import { isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { Mode } from '../../kernel/event';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import { NETWORK_IDS, type NetworkId } from '../../kernel/tokens';
import { AdvancedClocks } from './advanced-clocks';
import { DeadlineActions, type DeadlineActionParts } from './deadline-actions';

const POLL_MS = 1_000;
/** Deadlines met at once; the rest wait for the next round. */
const PAGE = 200;
/** Of one merchant's clock, after which it waits for the next round. */
const PAGES_A_CLOCK = 10;
/** Advanced clocks looked at in one round. */
const CLOCKS_A_ROUND = 200;
/** How often a clock is looked at again whose deadlines wait for a network that nobody watches. */
const UNWATCHED_PAUSE_MS = MINUTE_MS;

export type SweeperParts = DeadlineActionParts & {
  readonly modes: readonly Mode[];
  readonly readModels: ReadModels;
  /**
   * Milliseconds by the wall's clock: what a network's chain held before that moment has been seen without a gap, so a deadline that passed
   * earlier is covered. Null when the network is not watched.
   */
  readonly gaplessUntil: (mode: Mode, network: NetworkId) => Promise<number | null>;
  readonly log: Log;
};

type Range = Pick<ListQuery, 'index' | 'equals' | 'range'>;

/**
 * Sends the commands whose time has come. A quote expires, and an amount is free again, only once the chain is covered past that time without a gap. A round
 * costs some queries a mode and network, however many deadlines and merchants wait: see AdvancedClocks for the clocks that run ahead.
 */
export class Sweeper {
  private readonly actions: DeadlineActions;
  private readonly advanced: Readonly<Record<DeadlineKind, AdvancedClocks>>;
  /** Where the next page of a range begins, so that deadlines which cannot be met yet do not stand before the others. */
  private readonly cursors = new Map<string, Document<DeadlineDocument>>();

  constructor(private readonly parts: SweeperParts) {
    this.actions = new DeadlineActions(parts);
    const { readModels } = parts;
    this.advanced = {
      quote: new AdvancedClocks(readModels),
      reservation: new AdvancedClocks(readModels),
    };
  }

  /** Resolves when `signal` aborts. Each kind has its own loop, so that one does not hold up the other. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(DEADLINE_KINDS.map(kind => this.loop(kind, signal)));
  }

  /** One round: a page of each range. True when there is more to do at once. */
  async sweep(kind: DeadlineKind): Promise<boolean> {
    let isMore = false;
    for (const mode of this.parts.modes) {
      for (const network of NETWORK_IDS) {
        const reachMs = await this.reach(mode, network);
        if (reachMs !== null && (await this.sweepWall(mode, kind, network, reachMs))) isMore = true;
      }
    }
    return (await this.sweepAdvanced(kind)) || isMore;
  }

  /** All that is due by the clock of one merchant of test mode, now that it was advanced. */
  async sweepMerchant(merchantId: string): Promise<void> {
    // In this order: an amount is not released while its quote is open.
    for (const kind of DEADLINE_KINDS) await this.sweepClock(kind, merchantId);
  }

  private async loop(kind: DeadlineKind, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isMore = await this.sweepSafely(kind);
      if (!isMore) await this.parts.clock.wait(POLL_MS, signal);
    }
  }

  private async sweepSafely(kind: DeadlineKind): Promise<boolean> {
    try {
      return await this.sweep(kind);
    } catch (error) {
      this.parts.log.error({ kind, err: error }, 'sweep was interrupted');
      return false;
    }
  }

  /** The wall's moment up to which deadlines can be met; null when none can. */
  private async reach(mode: Mode, network: NetworkId): Promise<number | null> {
    const now = this.parts.clock.now();
    const gapless = await this.parts.gaplessUntil(mode, network);
    return gapless === null ? null : Math.min(now, gapless - 1);
  }

  private async sweepWall(mode: Mode, kind: DeadlineKind, network: NetworkId, reachMs: number): Promise<boolean> {
    const name = `${mode} ${kind} ${network}`;
    const range = { index: 'by_wall', equals: { mode, kind, network_id: network }, range: { to: isoTime(reachMs) } };
    const page = await this.meetPage(range, this.cursors.get(name));
    const last = page.at(-1);
    if (last && page.length === PAGE) this.cursors.set(name, last);
    else this.cursors.delete(name);
    return page.length === PAGE;
  }

  private async sweepAdvanced(kind: DeadlineKind): Promise<boolean> {
    if (!this.parts.modes.includes('test')) return false;
    const clocks = this.advanced[kind];
    const wallMs = this.parts.clock.now();
    await clocks.refresh(wallMs);
    const merchants = clocks.due(wallMs, CLOCKS_A_ROUND);
    for (const merchantId of merchants) clocks.checkAgain(merchantId, await this.sweepClock(kind, merchantId));
    return merchants.length === CLOCKS_A_ROUND;
  }

  /** Meets what is due by the merchant's clock; answers the wall's moment at which to look again. */
  private async sweepClock(kind: DeadlineKind, merchantId: string): Promise<number> {
    let checkAtMs = Infinity;
    for (const network of NETWORK_IDS) {
      const reachMs = await this.reach('test', network);
      checkAtMs = Math.min(checkAtMs, await this.sweepClockRange(kind, merchantId, network, reachMs));
    }
    return checkAtMs;
  }

  private async sweepClockRange(
    kind: DeadlineKind,
    merchantId: string,
    network: NetworkId,
    reachMs: number | null,
  ): Promise<number> {
    const { clock, readModels } = this.parts;
    const bound = { index: 'by_clock', equals: { clock: clockOf(merchantId), kind, network_id: network } };
    const reached = reachMs === null ? null : await clock.merchantTimeAt('test', merchantId, reachMs);
    if (reached !== null && (await this.meetPages({ ...bound, range: { to: isoTime(reached) } }))) return clock.now();
    const ahead = reached === null ? {} : { range: { from: isoTime(reached + 1) } };
    const [next] = await readModels.list(deadlinesProjection, { ...bound, ...ahead, limit: 1 });
    if (!next) return Infinity;
    if (reached === null) return clock.now() + UNWATCHED_PAUSE_MS;
    return clock.now() + parseIsoTime(next.body.due_at) - (await clock.merchantNow('test', merchantId));
  }

  /** True when there was any. */
  private async meetPages(range: Range): Promise<boolean> {
    let after: Document<DeadlineDocument> | undefined;
    for (let count = 0; count < PAGES_A_CLOCK; count++) {
      const page = await this.meetPage(range, after);
      after = page.at(-1) ?? after;
      if (page.length < PAGE) break;
    }
    return after !== undefined;
  }

  private async meetPage(
    { index, equals, range }: Range,
    after: Document<DeadlineDocument> | undefined,
  ): Promise<readonly Document<DeadlineDocument>[]> {
    const { readModels } = this.parts;
    const time = index === 'by_wall' ? 'wall_due_at' : 'due_at';
    const page = await readModels.list(deadlinesProjection, {
      index,
      equals,
      ...(range && { range }),
      ...(after && { after: { [time]: after.body[time], id: after.id } }),
      limit: PAGE,
    });
    // Each on its own: one broken stream holds up none of the others.
    await Promise.all(page.map(deadline => this.safely(deadline)));
    return page;
  }

  private async safely({ id, body }: Document<DeadlineDocument>): Promise<void> {
    try {
      await this.actions.meet(id, body);
    } catch (error) {
      this.parts.log.error({ stream: id, kind: body.kind, err: error }, 'deadline could not be met');
    }
  }
}
