import { isoTime, type Clock } from '../kernel/clock';
import type { Mode } from '../kernel/event';
import { finalHeight } from '../kernel/finality';
import { Interruptions } from '../kernel/interruptions';
import type { NetworkAlarm } from '../kernel/network-alarm';
import { isProviderFault } from '../kernel/outage';
import type { BlockHeader, Chain } from '../kernel/ports/chain';
import type { IndexProgress } from '../kernel/ports/index-progress';
import type { Log } from '../kernel/ports/log';
import type { ReadModels } from '../kernel/ports/read-models';
import { NETWORKS, type NetworkId, type Token } from '../kernel/tokens';
import type { TransferMatching } from '../processes/matching/transfer-matching';
import type { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import type { MicroDepositMatching } from '../processes/micro-deposit/micro-deposit-matching';
import type { SetAsideNotice } from '../processes/notices/notice-text';
import { ChainScan, type ScanRequest } from './chain-scan';
import type { CoverageRecord, Cursor } from './coverage-record';
import { Covering } from './covering';
import { Following } from './following';
import { NetworkLags } from './network-lags';
import type { PaymentFollower } from './payment-follower';
import type { LeaveUnread, Observe } from './range-scan';
import type { SetAside } from './set-aside';
import { SetAsideRetries } from './set-aside-retries';
import { SetAsideRoom } from './set-aside-room';
import { UnplacedBacklog } from './unplaced-backlog';
import { BacklogPlacing } from './backlog-placing';
import { TransferSightings } from './transfer-sightings';
import { WalletList } from './wallet-list';

/** A chain of our own makes a block a second; providers of the others count what they are asked. */
const POLL_MS = { sandbox: 500, provider: 3_000 } as const;
const LONGEST_PAUSE_MS = 30_000;

/** The address that micro-deposits go to, and who takes them. */
export type WatchedDeposits = {
  readonly address: string;
  readonly matching: MicroDepositMatching;
  readonly follower: MicroDepositFollower;
};

export type WatcherParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly readModels: ReadModels;
  readonly progress: IndexProgress;
  readonly matching: TransferMatching;
  readonly follower: PaymentFollower;
  /** Absent where the network has no verification address. */
  readonly deposits?: WatchedDeposits;
  readonly coverage: CoverageRecord;
  readonly setAside: SetAside;
  /** Tells the operator; called every few seconds while something is set aside. */
  readonly tellOperator: (notice: SetAsideNotice) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** On a sandbox chain a transfer belongs to the reservation that is open as its block is first seen. */
  readonly matchAtFirstSight: boolean;
};

/**
 * Watches one network of one mode. Each block from the last covered one to the head is scanned once, by its hash.
 * Blocks that replace others are scanned anew. The cursor follows where the network's standard rule is met.
 */
export class NetworkWatcher {
  private readonly scan: ChainScan;
  private readonly wallets: WalletList;
  private readonly following: Following;
  private readonly pollMs: number;
  private seenAtMs = 0;
  private scannedHead: string | null = null;
  private gapCount = 0;
  /** When the next tick is due after one that has placed transfers of the backlog; null where there were none. */
  private placingUntilMs: number | null = null;
  private readonly sightings: TransferSightings;
  private readonly backlog = new UnplacedBacklog();
  private readonly covering: Covering;
  private readonly placing: BacklogPlacing;
  private readonly retries: SetAsideRetries;
  private readonly room: SetAsideRoom;
  private readonly lags: NetworkLags;
  private readonly interruptions: Interruptions;

  constructor(private readonly parts: WatcherParts) {
    const { chain, coverage, clock, log } = parts;
    const { observe, leaveUnread, backlog } = this;
    this.pollMs = POLL_MS[parts.matchAtFirstSight ? 'sandbox' : 'provider'];
    this.covering = new Covering({ ...parts, backlog });
    this.room = new SetAsideRoom(parts);
    this.lags = new NetworkLags({ ...parts, backlog });
    this.scan = new ChainScan({
      ...parts,
      observe,
      leaveUnread,
      reached: height => this.following.reached(height),
      read: async (progress, recipients) => {
        await this.covering.read(progress);
        // The time that the tick has for the backlog is spent as a backfill goes on.
        if (clock.now() < this.seenAtMs + this.pollMs) await this.placeAll(recipients);
      },
      forgetRead: () => this.covering.forget(),
      placeUpTo: (readTo, recipients) => this.placing.place({ untilMs: Infinity, readTo, recipients }),
    });
    this.following = new Following(chain, this.scan, parts.follower, parts.deposits?.follower ?? null, clock);
    this.interruptions = new Interruptions(clock, log, 'watching was interrupted');
    this.wallets = new WalletList(parts);
    this.sightings = new TransferSightings(parts);
    const beside = { ranges: this.scan.ranges, sightings: this.sightings, between: () => this.following.between() };
    this.placing = new BacklogPlacing({ ...parts, ...beside, backlog });
    this.retries = new SetAsideRetries({
      ...parts,
      instance: coverage.instance,
      sightings: this.sightings,
      cursor: () => coverage.position,
      recipients: async () => this.withDeposits(await this.wallets.completeAddresses()),
      isFull: () => this.room.isFull,
    });
  }

  /**
   * Resolves when `signal` aborts. A failing provider is asked again with growing pauses; what is set aside is tried
   * again at a pace of its own.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.forget();
    await Promise.all([this.watch(signal), this.retries.run(signal)]);
  }

  /**
   * Another process may have watched since the last run: blocks that are remembered from then may be gone without a
   * trace.
   */
  private forget(): void {
    this.forgetScanned();
    this.wallets.doubt();
    this.parts.coverage.forget();
    this.lags.begin();
  }

  /** Blocks may be replaced, and not be scanned in their turn: none of those that were is known to stand. */
  private forgetScanned(): void {
    this.scan.forget();
    this.covering.forget();
    this.scannedHead = null;
    this.following.forget();
  }

  /** One round over what is set aside. */
  readonly retrySetAside = (): Promise<void> => this.retries.round();

  private async watch(signal: AbortSignal): Promise<void> {
    const { clock, mode, network } = this.parts;
    const { pollMs } = this;
    let [isAudited, isLookedAt] = [false, false];
    for (let pauseMs = pollMs; !signal.aborted;) {
      try {
        if (!isLookedAt) await this.parts.coverage.look();
        isLookedAt = true;
        await this.tick(signal);
        pauseMs = this.placingUntilMs === null ? pollMs : Math.max(0, this.placingUntilMs - clock.now());
        if (!isAudited) await this.auditCoverage();
        isAudited = true;
      } catch (error) {
        pauseMs = Math.min(Math.max(pauseMs, pollMs) * 2, LONGEST_PAUSE_MS);
        this.interruptions.tell(error, { mode, network, retry_in_ms: pauseMs });
      }
      this.watchLag();
      this.tellIgnored();
      await clock.wait(pauseMs, signal);
    }
  }

  async tick(signal?: AbortSignal): Promise<void> {
    const { mode, network, chain, coverage, clock } = this.parts;
    this.following.begin(null);
    // Before the head is asked for: what was mined by then is in what is scanned now.
    this.seenAtMs = clock.now();
    const head = await chain.head();
    const finalizedHeight = await chain.finalizedHeight().catch((error: unknown) => this.seeOnly(head, error, signal));
    const progress = { head, finalizedHeight };
    this.following.begin(progress);
    const agreedHeight = Math.max(0, finalHeight(NETWORKS[network].finality[mode].standard, progress));
    const start = (): Promise<BlockHeader> => this.scan.headerAt(agreedHeight);
    const cursor = await coverage.cursor(start);
    // A block under way is looked at once: an address that joins meanwhile is met with the next one.
    const isComplete = head.hash === this.scannedHead || (await this.wallets.isComplete());
    if (!isComplete) this.forgetScanned();
    const isScanDue = isComplete && head.hash !== this.scannedHead;
    const recipients = isScanDue || !this.backlog.isEmpty ? this.withDeposits(await this.wallets.addresses()) : [];
    if (isScanDue) {
      const request = { ...progress, agreedHeight, recipients, signal };
      this.scannedHead = (await this.scanUpTo(request, cursor, start)) ? head.hash : null;
    }
    await this.following.end(progress);
    // Without a scan nobody has looked at what was replaced.
    if (!this.wallets.isAwaited) this.scan.forgetReplaced();
    await this.room.guard(start, () => this.placeAll(recipients, signal));
  }

  /** Until the head is to be asked for again. */
  private async placeAll(recipients: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const untilMs = this.seenAtMs + this.pollMs;
    this.placingUntilMs = this.backlog.isEmpty ? null : untilMs;
    await this.placing.place({ untilMs, readTo: this.covering.readTo, recipients, signal });
    await this.covering.follow();
    // Where the scan itself found no room, it is tried again with the next tick.
    if (this.scannedHead !== null && this.backlog.isEmpty) await this.room.open();
    return true;
  }

  /** Where nothing more can be set aside the scan waits; payments that were seen are followed all the same. */
  private scanUpTo(request: ScanRequest, cursor: Cursor, start: () => Promise<BlockHeader>): Promise<boolean> {
    return this.room.guard(start, async () => {
      if (!(await this.scan.run(request, cursor, this.covering.readFrom(cursor)))) return false;
      await this.covering.cover(request, await this.parts.coverage.cursor(start), this.scan, this.seenAtMs);
      if (this.backlog.isEmpty) await this.room.open();
      return true;
    });
  }

  /**
   * Nobody can say yet what is final: since a start, too few providers have answered. What is paid meanwhile is seen
   * all the same.
   */
  private async seeOnly(head: BlockHeader, fault: unknown, signal?: AbortSignal): Promise<never> {
    if (isProviderFault(fault)) {
      const cursor = await this.parts.coverage.cursor(() => Promise.reject(fault));
      const recipients = this.withDeposits(await this.wallets.addresses());
      this.scannedHead = null;
      const request = { head, finalizedHeight: 0, agreedHeight: 0, recipients, signal };
      await this.scan.run(request, cursor, this.covering.readFrom(cursor));
    }
    throw fault;
  }

  get name(): string {
    return `${this.parts.mode} ${this.parts.network}`;
  }

  /** What is wrong with the coverage of this network; null while nothing is. */
  get alarm(): NetworkAlarm | null {
    if (this.gapCount > 0) return 'gaps';
    if (this.room.isFull) return 'set_aside_full';
    if (this.wallets.isOverdue) return 'behind';
    return this.lags.alarm ?? (this.retries.isSetAside ? 'set_aside' : null);
  }

  /**
   * Looks for blocks that were never scanned, in all that is sealed. Those that are set aside have an alarm of their
   * own.
   */
  async auditCoverage(): Promise<void> {
    const { coverage, log, mode, network } = this.parts;
    const gaps = (await coverage.gaps()).filter(({ kind }) => kind !== 'unread');
    this.gapCount = gaps.length;
    for (const gap of gaps) log.error({ mode, network, ...gap }, 'the coverage of the chain has a gap');
  }

  readonly watchLag = (): void => this.lags.tell();
  readonly tellIgnored = (): void => this.sightings.tellIgnored();

  private readonly observe: Observe = async (token, found, isAgreed) => {
    const { seenAtMs } = this;
    const isProvisional = !this.counts(isAgreed);
    const all = found.map(({ transfer, block }) => ({ token, transfer, block, seenAtMs, isProvisional }));
    this.backlog.add(await this.sightings.observeAwaited(all));
    await this.following.between();
  };

  private readonly leaveUnread: LeaveUnread = async ({ reason, txHash, number: to_number }, block, isAgreed) => {
    const { mode, network, log, setAside } = this.parts;
    const { number, hash, timeMs } = block;
    if (!this.counts(isAgreed)) {
      log.warn(
        { mode, network, block: number, reason },
        'a block cannot be read: it is read again when it is agreed on',
      );
      return;
    }
    const place = { block_number: number, to_number, block_hash: hash, block_time: isoTime(timeMs) };
    await setAside.openHole({ ...place, seen_at: isoTime(this.seenAtMs), reason, tx_hash: txHash });
  };

  /**
   * Whether coverage goes by this reading of a block. In live mode, and where blocks before this one were left out, it
   * goes by the one that follows when the block is agreed on.
   */
  private counts(isAgreed: boolean): boolean {
    return isAgreed || (this.parts.mode === 'test' && !this.scan.hasLeftOut);
  }

  /** The verification address before those of the wallets, each once. */
  private withDeposits(wallets: ReadonlySet<string>): readonly string[] {
    const { deposits } = this.parts;
    return [...new Set([...(deposits ? [deposits.address] : []), ...wallets])];
  }
}
