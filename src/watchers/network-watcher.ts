import type { Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import { Interruptions } from '../kernel/interruptions';
import type { NetworkAlarm } from '../vocabulary/network-alarm';
import type { Chain } from '../kernel/ports/chain';
import type { IndexProgress } from '../kernel/ports/index-progress';
import type { Log } from '../kernel/ports/log';
import type { ReadModels } from '../kernel/ports/read-models';
import type { Token } from '../vocabulary/tokens';
import type { NetworkId } from '../vocabulary/networks';
import type { TransferMatching } from '../processes/matching/transfer-matching';
import type { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import type { MicroDepositMatching } from '../processes/micro-deposit/micro-deposit-matching';
import type { SetAsideNotice } from '../modules/outbox/mail-kinds';
import type { CoverageRecord } from './coverage-record';
import { NetworkLags } from './network-lags';
import type { PaymentFollower } from './payment-follower';
import type { SetAside } from './set-aside';
import { SetAsideRetries } from './set-aside-retries';
import { SetAsideRoom } from './set-aside-room';
import { TransferSightings } from './transfer-sightings';
import { UnplacedBacklog } from './unplaced-backlog';
import { WalletList } from './wallet-list';
import type { WatchPolicy } from '../vocabulary/watch-policy';
import { WatcherTick } from './watcher-tick';

const LONGEST_PAUSE_MS = 30_000;

/** The address of micro-deposits, and the part that takes them. */
export type WatchedDeposits = {
  readonly address: string;
  readonly matching: MicroDepositMatching;
  readonly follower: MicroDepositFollower;
};

type WatcherParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly policy: WatchPolicy;
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
  /** Keeps the books of the network; absent where its balances cannot be asked for. */
  readonly books?: { run(signal: AbortSignal): Promise<void> };
  /** Tells the operator; called every few seconds while something is set aside. */
  readonly tellOperator: (notice: SetAsideNotice) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Watches one network of one mode, by ticks. Beside them the watcher tries again the places that are set aside, and
 * raises the network's alarms.
 */
export class NetworkWatcher {
  private readonly ticks: WatcherTick;
  private readonly wallets: WalletList;
  private readonly sightings: TransferSightings;
  private readonly retries: SetAsideRetries;
  private readonly room: SetAsideRoom;
  private readonly lags: NetworkLags;
  private readonly interruptions: Interruptions;
  private gapCount = 0;

  constructor(private readonly parts: WatcherParts) {
    const { coverage, clock, log } = parts;
    const backlog = new UnplacedBacklog();
    this.interruptions = new Interruptions(clock, log, 'watching was interrupted');
    this.lags = new NetworkLags({ ...parts, backlog });
    this.room = new SetAsideRoom(parts);
    this.wallets = new WalletList(parts);
    this.sightings = new TransferSightings(parts);
    const { room, wallets, sightings, lags } = this;
    const ticks = new WatcherTick({ ...parts, room, wallets, sightings, backlog, lags });
    this.ticks = ticks;
    this.retries = new SetAsideRetries({
      ...parts,
      instance: coverage.instance,
      sightings,
      cursor: () => coverage.position,
      hasScannedBelow: height => ticks.hasScannedBelow(height),
      recipients: () => wallets.completeAddresses(),
      isFull: () => room.isFull,
    });
  }

  /**
   * Resolves when `signal` aborts. A failing provider is asked again with growing pauses. Places that are set aside are
   * tried again at a pace of their own. The books are kept beside them.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.forget();
    await Promise.all([this.watch(signal), this.retries.run(signal), this.parts.books?.run(signal)]);
  }

  /** One look at the chain, with its consequences. */
  tick(signal?: AbortSignal): Promise<void> {
    return this.ticks.run(signal);
  }

  /** One round over the places that are set aside. */
  readonly retrySetAside = (): Promise<void> => this.retries.round();

  /** Another process may have watched since the last run: remembered blocks may be gone without a trace. */
  private forget(): void {
    this.ticks.forget();
    this.wallets.doubt();
    this.parts.coverage.forget();
    this.lags.begin();
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const { clock, mode, network, policy } = this.parts;
    const { pollMs } = policy;
    let [isAudited, isLookedAt] = [false, false];
    for (let pauseMs = pollMs; !signal.aborted;) {
      try {
        if (!isLookedAt) await this.parts.coverage.look();
        isLookedAt = true;
        await this.tick(signal);
        pauseMs = this.ticks.pauseMs;
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

  get name(): string {
    return `${this.parts.mode} ${this.parts.network}`;
  }

  /** The alarm of this network's coverage; null while nothing is wrong. */
  get alarm(): NetworkAlarm | null {
    if (this.gapCount > 0) return 'gaps';
    if (this.room.isFull) return 'set_aside_full';
    if (this.wallets.isOverdue) return 'behind';
    return this.lags.alarm ?? (this.retries.isSetAside ? 'set_aside' : null);
  }

  /**
   * Looks for blocks that were never scanned, in all sealed ranges. Blocks that are set aside have an alarm of their
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
}
