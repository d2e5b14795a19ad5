import { parseIsoTime, type Clock } from '../kernel/clock';
import type { Mode } from '../kernel/event';
import type { BlockMoment } from '../kernel/ports/chain';
import type { NetworkAlarm } from '../kernel/network-alarm';
import type { Collection } from '../kernel/ports/documents';
import type { ReadModels } from '../kernel/ports/read-models';
import type { NetworkId } from '../kernel/tokens';
import { coverageHolesReadModel } from '../modules/coverage/coverage-holes.read-model';
import { deferredTransfersReadModel } from '../modules/coverage/deferred-transfers.read-model';
import { coverageId, isTooOld, type CoverageDocument } from './coverage-record';
import { HOLES_LIMIT, isGaplessBelow } from './set-aside';

/** A network as this deployment watches it; `sandbox`: its chain makes blocks on demand, some ahead of their time. */
export type FrontierNetwork = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly instance: string;
  readonly sandbox: boolean;
};

/**
 * How far each network is read, as any process may ask. Detection has come to the *scanned* frontier. Whatever follows
 * from the absence of a transfer waits for the *gapless* one, which stops at the first block that is set aside. Both
 * are moments of the wall's clock in milliseconds: deadlines before them have been passed.
 */
export class Frontiers {
  constructor(
    private readonly networks: readonly FrontierNetwork[],
    private readonly coverage: Collection<CoverageDocument>,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Null where nobody has watched the network yet. */
  async coverageOf(mode: Mode, network: NetworkId): Promise<CoverageDocument | null> {
    return (await this.coverage.get(coverageId(mode, network)))?.body ?? null;
  }

  /** Height of the network's head as its watcher last saw it; null where nobody has watched the network yet. */
  async headOf(mode: Mode, network: NetworkId): Promise<number | null> {
    return (await this.coverageOf(mode, network))?.head_number ?? null;
  }

  /** Null where nobody watches the network. */
  async scannedUntil(mode: Mode, network: NetworkId): Promise<number | null> {
    const watched = await this.watchedAs(mode, network);
    return watched && scannedMs(watched.as, watched.covered);
  }

  /** Null where nobody watches the network. */
  async gaplessUntil(mode: Mode, network: NetworkId): Promise<number | null> {
    const watched = await this.watchedAs(mode, network);
    if (watched === null) return null;
    const { as, covered } = watched;
    // In this order: what coverage has passed by setting it aside can be found before it has.
    const equals = { mode, network_id: network, status: 'open' };
    const query = { index: 'by_block', equals, limit: HOLES_LIMIT };
    const holes = await this.readModels.list(coverageHolesReadModel, query);
    const own = holes.filter(({ body }) => body.instance === as.instance);
    const starts = own.map(({ body }) => parseIsoTime(as.sandbox ? body.seen_at : body.block_time));
    return Math.min(scannedMs(as, covered), ...starts);
  }

  /** Whether a transfer on the slot is set aside: the deadlines of its payment wait for it. */
  async isHeld(mode: Mode, slot: string): Promise<boolean> {
    const query = { index: 'by_slot', equals: { mode, slot, status: 'open' }, limit: 1 };
    return (await this.readModels.list(deferredTransfersReadModel, query)).length > 0;
  }

  /**
   * Whether nothing else was paid on the slot in the blocks before this one, by all that is known of them. For that the
   * scan has come to this block, and none of the blocks before it is set aside.
   */
  async isGaplessBelow(mode: Mode, network: NetworkId, block: BlockMoment, slot: string): Promise<boolean> {
    const watched = await this.watchedAs(mode, network);
    if (watched === null || parseIsoTime(watched.covered.covered_until) < block.timeMs) return false;
    return isGaplessBelow(this.readModels, watched.as, block.number, slot);
  }

  /**
   * Whether what is paid on the network now is seen in time: not where its scan is more than five minutes behind, or
   * stands still.
   */
  async isCurrent(mode: Mode, network: NetworkId): Promise<boolean> {
    const watched = await this.watchedAs(mode, network);
    if (watched === null || watched.covered.is_waiting) return false;
    return !isTooOld(scannedMs(watched.as, watched.covered), this.clock.now());
  }

  /**
   * What is wrong with the network by what all processes share; `sinceMs` counts where it was never watched. Gaps are
   * known to the process that watches, alone.
   */
  async alarmOf(mode: Mode, network: NetworkId, sinceMs: number): Promise<NetworkAlarm | null> {
    const watched = await this.watchedAs(mode, network);
    if (watched?.covered.is_waiting) return 'set_aside_full';
    if (isTooOld(watched ? scannedMs(watched.as, watched.covered) : sinceMs, this.clock.now())) return 'behind';
    const query = { index: 'by_block', equals: { mode, network_id: network, status: 'open' }, limit: 1 };
    const holes = await this.readModels.list(coverageHolesReadModel, query);
    const waiting = holes.length > 0 ? holes : await this.readModels.list(deferredTransfersReadModel, query);
    return waiting.length > 0 ? 'set_aside' : null;
  }

  private networkAs(mode: Mode, network: NetworkId): FrontierNetwork | undefined {
    return this.networks.find(candidate => candidate.mode === mode && candidate.network === network);
  }

  private async watchedAs(mode: Mode, network: NetworkId) {
    const as = this.networkAs(mode, network);
    const covered = await this.coverageOf(mode, network);
    // What a chain's former instance was covered to says nothing of the one that is watched now.
    return as && covered?.instance === as.instance ? { as, covered } : null;
  }
}

/** A local chain makes blocks on demand, some ahead of their time: there it counts when one was first seen. */
export function scannedMs(
  { sandbox }: Pick<FrontierNetwork, 'sandbox'>,
  { head_seen_at, covered_until }: CoverageDocument,
): number {
  return parseIsoTime(sandbox ? head_seen_at : covered_until);
}
