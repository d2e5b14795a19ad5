import { parseIsoTime, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { BlockMoment } from '../kernel/ports/chain';
import type { NetworkAlarm, NetworkStanding } from '../vocabulary/network-alarm';
import type { Collection } from '../kernel/ports/documents';
import type { ReadModels } from '../kernel/ports/read-models';
import { NETWORK_IDS, type NetworkId, type NetworkSight } from '../vocabulary/networks';
import type { WatchPolicy } from '../vocabulary/watch-policy';
import { deferredTransfersReadModel } from '../modules/coverage/deferred-transfers.read-model';
import { coverageId, isTooOld, type CoverageDocument } from './coverage-record';
import {
  isGaplessBelow,
  listOpenDeferrals,
  listOpenHoles,
  ownHoles,
  type OfInstance,
  type OfNetwork,
  type SetAside,
} from './set-aside-lists';

/** A network as this deployment watches it. */
type FrontierNetwork = OfInstance & { readonly policy: Pick<WatchPolicy, 'paidAt'> };

/**
 * The frontiers of each network, as any process may ask. Detection has come to the *scanned* frontier. Every conclusion
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

  /** Null where no process has watched the network yet. */
  async coverageOf(mode: Mode, network: NetworkId): Promise<CoverageDocument | null> {
    return (await this.coverage.get(coverageId(mode, network)))?.body ?? null;
  }

  /** Height of the network's head as its watcher last saw it; null where no process has watched the network yet. */
  async headOf(mode: Mode, network: NetworkId): Promise<number | null> {
    return (await this.coverageOf(mode, network))?.head_number ?? null;
  }

  /** Heights of the heads of all networks as their watchers last saw them, always in one order, by one question. */
  async heads(): Promise<readonly (number | null)[]> {
    return (await this.coverageOfAll(this.networks)).map(covered => covered?.head_number ?? null);
  }

  /** The same of the networks of one mode, whether or not this deployment watches them. */
  async headsOf(mode: Mode): Promise<ReadonlyMap<NetworkId, number | null>> {
    const covered = await this.coverageOfAll(NETWORK_IDS.map(network => ({ mode, network })));
    return new Map(NETWORK_IDS.map((network, index) => [network, covered[index]?.head_number ?? null]));
  }

  /** As `coverageOf` for each of the networks in their order, by one question. */
  async coverageOfAll(networks: readonly OfNetwork[]): Promise<readonly (CoverageDocument | null)[]> {
    const ids = networks.map(({ mode, network }) => coverageId(mode, network));
    const covered = new Map((await this.coverage.getAll(ids)).map(({ id, body }) => [id, body]));
    return ids.map(id => covered.get(id) ?? null);
  }

  /** Null where no process watches the network. */
  async scannedUntil(mode: Mode, network: NetworkId): Promise<number | null> {
    const watched = await this.watchedAs(mode, network);
    return watched && scannedMs(watched.as.policy, watched.covered);
  }

  /** Time of the newest block that was scanned, by the chain itself. Null where no process watches the network. */
  async blocksUntil(mode: Mode, network: NetworkId): Promise<number | null> {
    const watched = await this.watchedAs(mode, network);
    return watched && parseIsoTime(watched.covered.covered_until);
  }

  /** Whether each transfer in the blocks below this one has its place: none of them, and no transfer, is set aside. */
  async isWholeBelow(mode: Mode, network: NetworkId, block: BlockMoment): Promise<boolean> {
    if (!(await this.isGaplessBelow(mode, network, block, null))) return false;
    const page = { below: block.number };
    return (await listOpenDeferrals(this.readModels, { mode, network }, 1, page)).length === 0;
  }

  /** Null where no process watches the network. */
  async gaplessUntil(mode: Mode, network: NetworkId): Promise<number | null> {
    const watched = await this.watchedAs(mode, network);
    if (watched === null) return null;
    const { as, covered } = watched;
    // The order matters: a place that coverage has passed by setting it aside can be found before that.
    const own = await ownHoles(this.readModels, as);
    const isBySight = as.policy.paidAt === 'first_sight';
    const starts = own.map(({ body }) => parseIsoTime(isBySight ? body.seen_at : body.block_time));
    return Math.min(scannedMs(as.policy, covered), ...starts);
  }

  /** Whether a transfer on the slot is set aside: the deadlines of its payment wait for it. */
  async isSlotWaiting(mode: Mode, slot: string): Promise<boolean> {
    const query = { index: 'by_slot', equals: { mode, slot, status: 'open' }, limit: 1 };
    return (await this.readModels.list(deferredTransfersReadModel, query)).length > 0;
  }

  /**
   * Whether no earlier block holds another payment on the slot, by all that is known of these blocks. For that the scan
   * has come to this block, and none of the blocks before it is set aside. Null for the slot asks for the blocks alone.
   */
  async isGaplessBelow(mode: Mode, network: NetworkId, block: BlockMoment, slot: string | null): Promise<boolean> {
    const watched = await this.watchedAs(mode, network);
    if (watched === null || parseIsoTime(watched.covered.covered_until) < block.timeMs) return false;
    return isGaplessBelow(this.readModels, watched.as, block.number, slot);
  }

  /** By one reading of the coverage. */
  async sightOf(mode: Mode, network: NetworkId): Promise<NetworkSight> {
    const watched = await this.watchedAs(mode, network);
    if (watched === null) return 'none';
    const isLate = isTooOld(scannedMs(watched.as.policy, watched.covered), this.clock.now());
    return watched.covered.is_waiting || isLate ? 'late' : 'in_time';
  }

  /**
   * How far the network is scanned, and its alarm, by one reading of the coverage that all processes share. `sinceMs`
   * counts where it was never watched. Only the process that watches knows of gaps.
   */
  async standingOf(mode: Mode, network: NetworkId, sinceMs: number): Promise<NetworkStanding> {
    const standing = this.standingBy(mode, network, await this.coverageOf(mode, network), sinceMs);
    if (standing.alarm !== null) return standing;
    const holes = await listOpenHoles(this.readModels, { mode, network }, 1);
    const waiting = holes.length > 0 ? holes : await listOpenDeferrals(this.readModels, { mode, network }, 1);
    return { ...standing, alarm: waiting.length > 0 ? 'set_aside' : null };
  }

  /** The alarm of `standingOf`, for a caller that has read all facts of the network. */
  alarmOf(
    { mode, network }: OfNetwork,
    covered: CoverageDocument | null,
    { holes, deferred }: SetAside,
    sinceMs: number,
  ): NetworkAlarm | null {
    const { alarm } = this.standingBy(mode, network, covered, sinceMs);
    return alarm ?? (holes.length + deferred.length > 0 ? 'set_aside' : null);
  }

  private standingBy(
    mode: Mode,
    network: NetworkId,
    covered: CoverageDocument | null,
    sinceMs: number,
  ): NetworkStanding {
    const watched = this.watchedBy(mode, network, covered);
    const scannedUntilMs = watched && scannedMs(watched.as.policy, watched.covered);
    if (watched?.covered.is_waiting) return { scannedUntilMs, alarm: 'set_aside_full' };
    const isBehind = isTooOld(scannedUntilMs ?? sinceMs, this.clock.now());
    return { scannedUntilMs, alarm: isBehind ? 'behind' : null };
  }

  private networkAs(mode: Mode, network: NetworkId): FrontierNetwork | undefined {
    return this.networks.find(candidate => candidate.mode === mode && candidate.network === network);
  }

  private async watchedAs(mode: Mode, network: NetworkId) {
    return this.watchedBy(mode, network, await this.coverageOf(mode, network));
  }

  private watchedBy(mode: Mode, network: NetworkId, covered: CoverageDocument | null) {
    const as = this.networkAs(mode, network);
    // The coverage of a chain's former instance says nothing of the present one.
    return as && covered?.instance === as.instance ? { as, covered } : null;
  }
}

/** The moment of the newest scanned block, as its policy counts blocks. */
export function scannedMs(
  { paidAt }: Pick<WatchPolicy, 'paidAt'>,
  { head_seen_at, covered_until }: CoverageDocument,
): number {
  return parseIsoTime(paidAt === 'first_sight' ? head_seen_at : covered_until);
}
