import { isoTime, MINUTE_MS, type Clock } from '../kernel/clock';
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
import type { SetAsideNotice } from '../processes/notices/operator-mail';
import { ChainScan, type ScanRequest } from './chain-scan';
import type { CoverageLedger, Cursor } from './coverage-ledger';
import { Following } from './following';
import { LagAlarm } from './lag-alarm';
import type { PaymentFollower } from './payment-follower';
import type { LeaveUnread, Observe } from './range-scan';
import { SetAsideFull, type SetAside } from './set-aside';
import { SetAsideRetries } from './set-aside-retries';
import { nullWhereUntold } from './told-header';
import { TransferSightings } from './transfer-sightings';
import { WalletList } from './wallet-list';

/** A chain of our own makes a block a second; providers of the others count what they are asked. */
const POLL_MS = { sandbox: 500, provider: 3_000 } as const;
const LONGEST_PAUSE_MS = 30_000;
const TELLING_EVERY_MS = 10 * MINUTE_MS;

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
  readonly coverage: CoverageLedger;
  readonly setAside: SetAside;
  /** Tells the operator; called every few seconds while something is set aside. */
  readonly tellOperator: (notice: SetAsideNotice) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** On a sandbox chain, a transfer belongs to the reservation open when its block is first seen, by the merchant's clock. */
  readonly matchAtFirstSight: boolean;
};

/**
 * Watches one network of one mode. Blocks are scanned by their hash, once each, from the last covered one to the head; what a
 * reorganisation replaces is scanned again; the cursor follows where the network's standard rule calls a block final.
 */
export class NetworkWatcher {
  private readonly scan: ChainScan;
  private readonly wallets: WalletList;
  private readonly following: Following;
  private readonly lag: LagAlarm;
  private seenAtMs = 0;
  private scannedHead: string | null = null;
  private gapCount = 0;
  private isFull = false;
  private readonly sightings: TransferSightings;
  private readonly retries: SetAsideRetries;
  private readonly interruptions: Interruptions;
  private toldIgnored = 0;
  private nextTellingMs = 0;

  constructor(private readonly parts: WatcherParts) {
    const { chain, coverage, clock, log } = parts;
    this.lag = new LagAlarm(parts);
    const { observe, leaveUnread } = this;
    const reached = (height: number) => this.following.reached(height);
    this.scan = new ChainScan({ ...parts, observe, leaveUnread, reached });
    this.following = new Following(chain, this.scan, parts.follower, parts.deposits?.follower ?? null, clock);
    this.interruptions = new Interruptions(clock, log, 'watching was interrupted');
    this.wallets = new WalletList(parts);
    this.sightings = new TransferSightings(parts);
    this.retries = new SetAsideRetries({
      ...parts,
      instance: coverage.instance,
      sightings: this.sightings,
      cursor: () => coverage.position,
      recipients: async () => this.withDeposits(await this.wallets.completeAddresses()),
      isFull: () => this.isFull,
    });
  }

  /** Resolves when `signal` aborts. A failing provider is asked again with growing pauses; what is set aside is tried again at a pace of its own. */
  async run(signal: AbortSignal): Promise<void> {
    this.forget();
    await Promise.all([this.watch(signal), this.retries.run(signal)]);
  }

  /** Another process may have watched since the last run: blocks that are remembered from then may be gone without a trace. */
  private forget(): void {
    this.forgetScanned();
    this.wallets.doubt();
    this.parts.coverage.forget();
    this.lag.begin();
  }

  /** Blocks may be replaced, and not be scanned in their turn: none of those that were is known to stand. */
  private forgetScanned(): void {
    this.scan.forget();
    this.scannedHead = null;
    this.following.forget();
  }

  /** One round over what is set aside. */
  retrySetAside(): Promise<void> {
    return this.retries.round();
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const { clock, mode, network } = this.parts;
    const pollMs: number = POLL_MS[this.parts.matchAtFirstSight ? 'sandbox' : 'provider'];
    let [isAudited, isLookedAt] = [false, false];
    for (let pauseMs = pollMs; !signal.aborted;) {
      try {
        if (!isLookedAt) await this.parts.coverage.look();
        isLookedAt = true;
        await this.tick(signal);
        pauseMs = pollMs;
        if (!isAudited) await this.auditCoverage();
        isAudited = true;
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
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
    const settledHeight = Math.max(0, finalHeight(NETWORKS[network].finality[mode].standard, progress));
    const start = (): Promise<BlockHeader> => this.scan.headerAt(settledHeight);
    const cursor = await coverage.cursor(start);
    // A block under way is looked at once: an address that joins meanwhile is met with the next one.
    const isComplete = head.hash === this.scannedHead || (await this.wallets.isComplete());
    if (!isComplete) this.forgetScanned();
    if (isComplete && head.hash !== this.scannedHead) {
      const recipients = this.withDeposits(await this.wallets.addresses());
      const request = { ...progress, settledHeight, recipients, signal };
      this.scannedHead = (await this.scanUpTo(request, cursor, start)) ? head.hash : null;
    }
    await this.following.end(progress);
    // Without a scan nobody has looked at what was replaced.
    if (!this.wallets.isAwaited) this.scan.forgetReplaced();
  }

  /** Where nothing more can be set aside the scan waits; payments that were seen are followed all the same. */
  private async scanUpTo(request: ScanRequest, cursor: Cursor, start: () => Promise<BlockHeader>): Promise<boolean> {
    const { coverage, log, mode, network } = this.parts;
    try {
      if (!(await this.scan.run(request, cursor))) return false;
      await this.cover(request, await coverage.cursor(start));
      await coverage.noteWaiting(false);
      this.isFull = false;
      return true;
    } catch (error) {
      if (!(error instanceof SetAsideFull)) throw error;
      if (!this.isFull) log.error({ mode, network, err: error }, 'nothing more can be set aside: scanning waits');
      this.isFull = true;
      await coverage.cursor(start);
      await coverage.noteWaiting(true);
      return false;
    }
  }

  /** Nobody can say yet what is final: since a start, too few providers have answered. What is paid meanwhile is seen all the same. */
  private async seeOnly(head: BlockHeader, fault: unknown, signal?: AbortSignal): Promise<never> {
    if (isProviderFault(fault)) {
      const cursor = await this.parts.coverage.cursor(() => Promise.reject(fault));
      const recipients = this.withDeposits(await this.wallets.addresses());
      this.scannedHead = null;
      await this.scan.run({ head, finalizedHeight: 0, settledHeight: 0, recipients, signal }, cursor);
    }
    throw fault;
  }

  get name(): string {
    return `${this.parts.mode} ${this.parts.network}`;
  }

  /** What is wrong with the coverage of this network; null while nothing is. */
  get alarm(): NetworkAlarm | null {
    if (this.gapCount > 0) return 'gaps';
    if (this.isFull) return 'set_aside_full';
    if (this.lag.isRaised || this.wallets.isOverdue) return 'behind';
    return this.retries.isSetAside ? 'set_aside' : null;
  }

  /** Looks for blocks that were never scanned, in all that is sealed. Those that are set aside have an alarm of their own. */
  async auditCoverage(): Promise<void> {
    const { coverage, log, mode, network } = this.parts;
    const gaps = (await coverage.gaps()).filter(({ kind }) => kind !== 'unread');
    this.gapCount = gaps.length;
    for (const gap of gaps) log.error({ mode, network, ...gap }, 'the coverage of the chain has a gap');
  }

  /** Tells once when the newest scanned block has become too old, and once when that is over. */
  watchLag(): void {
    this.lag.tell();
  }

  /** Transfers of nothing, and too small ones that match nothing, leave no event: how many there were is told now and then. */
  tellIgnored(): void {
    const { clock, log, mode, network } = this.parts;
    const ignored = this.sightings.ignoredCount;
    if (ignored === this.toldIgnored || clock.now() < this.nextTellingMs) return;
    log.info({ mode, network, since_last: ignored - this.toldIgnored, in_all: ignored }, 'dust was ignored');
    this.toldIgnored = ignored;
    this.nextTellingMs = clock.now() + TELLING_EVERY_MS;
  }

  /**
   * The cursor moves only to a block that enough providers agree on; where real money is, past blocks that were looked at once more, now that
   * they are settled: who answered for them first may have been one provider alone, and have left something out. There deadlines wait for the
   * cursor too, or a payment that was left out would expire.
   */
  private async cover({ head, settledHeight, recipients }: ScanRequest, cursor: Cursor): Promise<void> {
    const { mode, chain, coverage } = this.parts;
    const { seenAtMs } = this;
    const isMoney = mode === 'live';
    // Its time too is nobody's single word: one provider alone may have told of the block as it was scanned.
    const scanned = this.scan.scannedAt(settledHeight);
    const settled = scanned && (await nullWhereUntold(chain.agreedBlock(settledHeight)));
    if (settled === null || settled.hash !== scanned?.hash) return coverage.note(isMoney ? null : head, head, seenAtMs);
    if (isMoney && settledHeight > cursor.number) await this.scan.ranges.scan(cursor.number + 1, settled, recipients);
    await coverage.advance({
      settled,
      scanned: isMoney ? settled : head,
      head,
      headerAt: this.scan.headerAt,
      seenAtMs,
    });
  }

  private readonly observe: Observe = async (token, found, isSettled) => {
    const { seenAtMs } = this;
    const isProvisional = !this.counts(isSettled);
    const all = found.map(({ transfer, block }) => ({ token, transfer, block, seenAtMs, isProvisional }));
    await this.sightings.observeAll(all, () => this.following.between());
  };

  private readonly leaveUnread: LeaveUnread = async ({ reason, txHash }, block, isSettled) => {
    const { mode, network, log, setAside } = this.parts;
    const { number, hash, timeMs } = block;
    if (!this.counts(isSettled)) {
      log.warn({ mode, network, block: number, reason }, 'a block cannot be read: it is read again when it is settled');
      return;
    }
    const place = { block_number: number, block_hash: hash, block_time: isoTime(timeMs) };
    await setAside.openHole({ ...place, seen_at: isoTime(this.seenAtMs), reason, tx_hash: txHash });
  };

  /**
   * Whether coverage goes by this reading of a block. In live mode, and where blocks before this one were left out, it
   * goes by the one that follows when the block is settled.
   */
  private counts(isSettled: boolean): boolean {
    return isSettled || (this.parts.mode === 'test' && !this.scan.hasLeftOut);
  }

  /** The verification address before those of the wallets, each once. */
  private withDeposits(wallets: ReadonlySet<string>): readonly string[] {
    const { deposits } = this.parts;
    return [...new Set([...(deposits ? [deposits.address] : []), ...wallets])];
  }
}
