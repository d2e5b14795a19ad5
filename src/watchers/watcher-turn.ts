import { isoTime, SECOND_MS, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { NetworkAlarm } from '../vocabulary/network-alarm';
import { outageOf } from '../kernel/outage';
import type { Collection, CollectionSpec } from '../kernel/ports/documents';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import type { LagWatch } from './lag-watch';
import type { NetworkWatcher } from './network-watcher';

/** `holder` is null once the holder has let go. */
export type WatcherLeaseDocument = { readonly holder: string | null; readonly renewed_at: string };

export const WATCHER_LEASES: CollectionSpec = { name: 'watcher_leases', indexes: {} };

const RENEW_EVERY_MS = 3 * SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS;
/** Two renewals may fail before another process takes the place. */
const LEASE_MS = 10 * SECOND_MS;

/** The alarm by the facts that all processes share; the moment counts where the network was never covered. */
type SharedAlarm = (sinceMs: number) => NetworkAlarm | null | Promise<NetworkAlarm | null>;

type WatcherTurnParts = {
  readonly watcher: Pick<NetworkWatcher, 'name' | 'run' | 'alarm'>;
  /** Null where no other process can watch the same networks. */
  readonly leases: Collection<WatcherLeaseDocument> | null;
  /** Names this process. */
  readonly holder: string;
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly sharedAlarm: SharedAlarm;
  readonly lagWatch: LagWatch;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * One network's watcher. Of several processes, one runs it at a time. The lease only spares the others the work: every
 * write is guarded by its revision or version, so two holders at once do no harm.
 */
export class WatcherTurn {
  private isHolding = false;
  private version = 0;
  /** A lease is free once it has not changed for LEASE_MS by this process's clock. */
  private seen: { readonly version: number; readonly atMs: number } | null = null;
  private shared: NetworkAlarm | null = null;
  private isRunning = false;
  private readonly madeAtMs: number;

  constructor(private readonly parts: WatcherTurnParts) {
    this.madeAtMs = parts.clock.now();
  }

  get mode(): Mode {
    return this.parts.mode;
  }

  get network(): NetworkId {
    return this.parts.network;
  }

  get name(): string {
    return this.parts.watcher.name;
  }

  /** A waiting process judges the network by the shared coverage. */
  get alarm(): NetworkAlarm | null {
    if (this.parts.leases === null || this.isHolding) return this.parts.watcher.alarm;
    return this.shared;
  }

  /** As `alarm`, also in a process that does not watch at all. A caller that knows the shared facts judges them. */
  async alarmNow(sharedAlarm: SharedAlarm = this.parts.sharedAlarm): Promise<NetworkAlarm | null> {
    return this.isRunning ? this.alarm : sharedAlarm(this.madeAtMs);
  }

  /** Watches, and waits for its turn while another process does. Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.isRunning = true;
    await Promise.all([this.watch(signal), this.parts.lagWatch.run(signal)]);
  }

  /**
   * Runs in place of `run` where this process watches nothing: the alarms of an unread network are told all the same.
   */
  lookOn(signal: AbortSignal): Promise<void> {
    return this.parts.lagWatch.run(signal);
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const { leases, watcher, clock } = this.parts;
    if (leases === null) return watcher.run(signal);
    let waitingSinceMs = clock.now();
    while (!signal.aborted) {
      if (await this.attempt(false, () => this.take(leases))) {
        await this.hold(leases, signal);
        waitingSinceMs = clock.now();
      } else {
        await this.attempt(false, () => this.lookAtCoverage(waitingSinceMs));
        await clock.wait(LOOK_EVERY_MS, signal);
      }
    }
  }

  private async hold(leases: Collection<WatcherLeaseDocument>, signal: AbortSignal): Promise<void> {
    const { watcher, clock } = this.parts;
    const lost = new AbortController();
    this.isHolding = true;
    const watching = watcher.run(AbortSignal.any([signal, lost.signal]));
    for (let isLeased = true; isLeased && !signal.aborted;) {
      await clock.wait(RENEW_EVERY_MS, signal);
      // While the store is away no other process can take the lease either.
      if (!signal.aborted) isLeased = await this.attempt(true, () => this.renew(leases));
    }
    lost.abort();
    await watching;
    this.isHolding = false;
    this.seen = null;
    if (signal.aborted) await this.attempt(false, () => this.write(leases, null));
  }

  private async take(leases: Collection<WatcherLeaseDocument>): Promise<boolean> {
    const { clock, holder } = this.parts;
    const standing = await leases.get(this.name);
    if (standing === null) {
      this.version = 1;
      return leases.insert({ id: this.name, version: 1, body: this.lease(holder) });
    }
    const nowMs = clock.now();
    if (this.seen?.version !== standing.version) this.seen = { version: standing.version, atMs: nowMs };
    const isFree = standing.body.holder === null || nowMs - this.seen.atMs >= LEASE_MS;
    this.version = standing.version;
    return isFree && this.write(leases, holder);
  }

  /** False where another process has taken the lease. */
  private async renew(leases: Collection<WatcherLeaseDocument>): Promise<boolean> {
    const { holder } = this.parts;
    if (await this.write(leases, holder)) return true;
    const standing = await leases.get(this.name);
    // A write whose answer was lost is this process's own.
    if (standing?.body.holder !== holder) return false;
    this.version = standing.version;
    return true;
  }

  private async write(leases: Collection<WatcherLeaseDocument>, holder: string | null): Promise<boolean> {
    const next = { id: this.name, version: this.version + 1, body: this.lease(holder) };
    const isWritten = await leases.replace(next, this.version);
    if (isWritten) this.version += 1;
    return isWritten;
  }

  private lease(holder: string | null): WatcherLeaseDocument {
    return { holder, renewed_at: isoTime(this.parts.clock.now()) };
  }

  private async lookAtCoverage(waitingSinceMs: number): Promise<boolean> {
    this.shared = await this.parts.sharedAlarm(waitingSinceMs);
    return true;
  }

  /** Answers `otherwise` where the work fails; every part that needs the store tells of its outage. */
  private async attempt(otherwise: boolean, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      const { log } = this.parts;
      if (outageOf(error) === null) log.error({ watcher: this.name, err: error }, 'the lease of a watcher failed');
      return otherwise;
    }
  }
}
