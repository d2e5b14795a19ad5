import { clockOf, type KnownClock, type MerchantClocks } from '../../kernel/merchant-clocks';
import { isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import type { Mode } from '../../vocabulary/modes';
import { Interruptions } from '../../kernel/interruptions';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import { NETWORK_IDS, type NetworkId } from '../../vocabulary/networks';
import {
  DEADLINE_KINDS,
  deadlinesReadModel,
  type DeadlineDocument,
  type DeadlineKind,
} from '../../modules/payment-intents/deadlines.read-model';
import { AdvancedClocks } from './advanced-clocks';
import { DeadlineActions, type DeadlineActionParts } from './deadline-actions';

const POLL_MS = 1_000;
/** Deadlines that are met at once; the rest wait for the next round. */
const PAGE = 200;
/** Pages of one merchant's clock, after which that clock rests. */
const PAGES_A_CLOCK = 10;
/** Advanced clocks looked at in one round. */
const CLOCKS_A_ROUND = 200;
/** A clock with something due is asked again after this pause at the earliest. */
const CLOCK_PAUSE_MS = POLL_MS;
/** A clock whose deadlines wait for a network that nobody watches is asked again after this pause. */
const UNWATCHED_PAUSE_MS = MINUTE_MS;

type SweeperParts = DeadlineActionParts & {
  readonly modes: readonly Mode[];
  readonly readModels: ReadModels;
  /**
   * Milliseconds by the wall's clock. The watcher has seen all blocks of the network before that moment, without a gap.
   * A deadline that passed earlier is covered. Null when the network is not watched.
   */
  readonly gaplessUntil: (mode: Mode, network: NetworkId) => Promise<number | null>;
  readonly clock: MerchantClocks;
  readonly log: Log;
};

/** `checkAtMs`: the wall's moment of the next look. */
type ClockLook = { readonly isDue: boolean; readonly checkAtMs: number };
type Owner = KnownClock & { readonly universe: 'test'; readonly merchantId: string };
/** `owner`: the merchant of all its deadlines. */
type Range = Pick<ListQuery, 'index' | 'equals' | 'range'> & { readonly owner?: Owner };
/**
 * The moment of the wall's clock up to which each network's deadlines can be met; null when none can. Only test mode
 * needs them, because clocks are advanced there alone.
 */
type Reaches = ReadonlyMap<NetworkId, number | null>;

/**
 * Sends the commands whose time has come. A quote expires, and an amount is free again, only once the chain is covered
 * past that time without a gap. A round costs some queries a mode and network, however many deadlines and merchants
 * wait: see AdvancedClocks for the clocks that run ahead.
 */
export class Sweeper {
  private readonly actions: DeadlineActions;
  private readonly advanced: Readonly<Record<DeadlineKind, AdvancedClocks>>;
  /** The next page of a range begins here, so that deadlines which cannot be met yet do not stand before the others. */
  private readonly cursors = new Map<string, Document<DeadlineDocument>>();
  /** The clocks, by kind and merchant, that had something due at their last look. */
  private readonly resting = new Set<string>();
  private readonly interruptions: Readonly<Record<DeadlineKind, Interruptions>>;
  private readonly failures: Interruptions;

  constructor(private readonly parts: SweeperParts) {
    this.actions = new DeadlineActions(parts);
    const { readModels, clock, log } = parts;
    this.interruptions = {
      quote: new Interruptions(clock, log, 'sweep was interrupted'),
      reservation: new Interruptions(clock, log, 'sweep was interrupted'),
    };
    this.failures = new Interruptions(clock, log, 'deadline could not be met');
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
    const reaches = new Map<NetworkId, number | null>();
    for (const mode of this.parts.modes) {
      for (const network of NETWORK_IDS) {
        const reachMs = await this.reach(mode, network);
        if (mode === 'test') reaches.set(network, reachMs);
        if (reachMs !== null && (await this.sweepWall(mode, kind, network, reachMs))) isMore = true;
      }
    }
    // Merchants' clocks use the reaches read above. An older one may meet fewer deadlines, and the next round the rest.
    return (await this.sweepAdvanced(kind, reaches)) || isMore;
  }

  /** Meets the deadlines that are due by the clock of one merchant of test mode, now that the clock was advanced. */
  async sweepMerchant(merchantId: string, advanced?: ClockStanding): Promise<void> {
    const owner = { universe: 'test', merchantId, clock: advanced } as const;
    const reaches = new Map<NetworkId, number | null>();
    for (const network of NETWORK_IDS) reaches.set(network, await this.reach('test', network));
    // The order matters: an amount is not released while its quote is open.
    for (const kind of DEADLINE_KINDS) await this.sweepClock(kind, owner, reaches, false);
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
      this.interruptions[kind].tell(error, { kind });
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
    this.keepCursor(name, page.length === PAGE ? page.at(-1) : undefined);
    return page.length === PAGE;
  }

  /**
   * True where more clocks wait and most of these were new, or had nothing due at their last look. Where most have
   * deadlines that cannot be met, the other clocks come after a pause.
   */
  private async sweepAdvanced(kind: DeadlineKind, reaches: Reaches): Promise<boolean> {
    if (!this.parts.modes.includes('test')) return false;
    const clocks = this.advanced[kind];
    const wallMs = this.parts.clock.now();
    await clocks.refresh(wallMs);
    const merchants = clocks.due(wallMs, CLOCKS_A_ROUND);
    let rested = 0;
    for (const merchantId of merchants) {
      const name = `${kind} ${merchantId}`;
      if (this.resting.delete(name)) rested += 1;
      const { isDue, checkAtMs } = await this.sweepClock(kind, { universe: 'test', merchantId }, reaches, true);
      if (isDue) this.resting.add(name);
      clocks.checkAgain(merchantId, checkAtMs);
    }
    return merchants.length === CLOCKS_A_ROUND && rested < CLOCKS_A_ROUND / 2;
  }

  /**
   * Meets all deadlines that are due by the merchant's clock, from the oldest on. In rounds, it meets those after the
   * last look.
   */
  private async sweepClock(kind: DeadlineKind, owner: Owner, reaches: Reaches, inRounds: boolean): Promise<ClockLook> {
    let look: ClockLook = { isDue: false, checkAtMs: Infinity };
    for (const [network, reachMs] of reaches) {
      const { isDue, checkAtMs } = await this.sweepClockRange(kind, owner, network, reachMs, inRounds);
      look = { isDue: look.isDue || isDue, checkAtMs: Math.min(look.checkAtMs, checkAtMs) };
    }
    return look;
  }

  private async sweepClockRange(
    kind: DeadlineKind,
    owner: Owner,
    network: NetworkId,
    reachMs: number | null,
    inRounds: boolean,
  ): Promise<ClockLook> {
    const { clock, readModels } = this.parts;
    const { merchantId } = owner;
    const bound = { index: 'by_clock', equals: { clock: clockOf(merchantId), kind, network_id: network } };
    const reached = reachMs === null ? null : await clock.merchantTimeAt('test', merchantId, reachMs, owner);
    const round = inRounds ? `${merchantId} ${kind} ${network}` : null;
    if (reached !== null && (await this.meetPages({ ...bound, owner, range: { to: isoTime(reached) } }, round)))
      return { isDue: true, checkAtMs: clock.now() + CLOCK_PAUSE_MS };
    const ahead = reached === null ? {} : { range: { from: isoTime(reached + 1) } };
    const [next] = await readModels.list(deadlinesReadModel, { ...bound, ...ahead, limit: 1 });
    if (!next) return { isDue: false, checkAtMs: Infinity };
    if (reached === null) return { isDue: false, checkAtMs: clock.now() + UNWATCHED_PAUSE_MS };
    const leftMs = parseIsoTime(next.body.due_at) - (await clock.merchantNow('test', merchantId, owner));
    // A deadline past its time waits for the network's coverage.
    const isDue = leftMs <= 0;
    return { isDue, checkAtMs: clock.now() + (isDue ? CLOCK_PAUSE_MS : leftMs) };
  }

  /**
   * True when the range held a deadline. `round` names the cursor from which the pages go on; null begins with the
   * oldest.
   */
  private async meetPages(range: Range, round: string | null): Promise<boolean> {
    let after = round === null ? undefined : this.cursors.get(round);
    let isEnd = false;
    for (let count = 0; count < PAGES_A_CLOCK && !isEnd; count++) {
      const page = await this.meetPage(range, after);
      after = page.at(-1) ?? after;
      isEnd = page.length < PAGE;
    }
    if (round !== null) this.keepCursor(round, isEnd ? undefined : after);
    return after !== undefined;
  }

  private keepCursor(name: string, last: Document<DeadlineDocument> | undefined): void {
    if (last) this.cursors.set(name, last);
    else this.cursors.delete(name);
  }

  private async meetPage(
    { index, equals, range, owner }: Range,
    after: Document<DeadlineDocument> | undefined,
  ): Promise<readonly Document<DeadlineDocument>[]> {
    const { readModels } = this.parts;
    const time = index === 'by_wall' ? 'wall_due_at' : 'due_at';
    const page = await readModels.list(deadlinesReadModel, {
      index,
      equals,
      ...(range && { range }),
      ...(after && { after: { [time]: after.body[time], id: after.id } }),
      limit: PAGE,
    });
    // Each deadline is met on its own: one broken stream holds up none of the others.
    await Promise.all(page.map(deadline => this.safely(deadline, owner)));
    return page;
  }

  private async safely({ id, body }: Document<DeadlineDocument>, owner?: Owner): Promise<void> {
    try {
      await this.actions.meet(id, body, owner);
    } catch (error) {
      this.failures.tell(error, { stream: id, kind: body.kind });
    }
  }
}
