import type { Clock } from '../kernel/clock';
import type { Mode } from '../kernel/event';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../kernel/tokens';
import { LAG_ALARM_MS, type CoverageRecord } from './coverage-record';
import type { UnplacedBacklog } from './unplaced-backlog';

export type WatcherLagParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly coverage: CoverageRecord;
  readonly backlog: UnplacedBacklog;
  readonly clock: Clock;
  readonly log: Log;
};

/** How far one network's watcher is behind its chain. */
export class WatcherLag {
  private isTold = false;

  constructor(private readonly parts: WatcherLagParts) {}

  /** Also of a tick that catches up: it takes long, and tells nobody before its end. */
  get isTooLong(): boolean {
    return this.isTold || (this.ms ?? 0) > LAG_ALARM_MS;
  }

  /** Tells once when the lag has become too long, and once when that is over. */
  tell(): void {
    const { log, mode, network } = this.parts;
    const lagMs = this.ms;
    const isBehind = lagMs === null || lagMs > LAG_ALARM_MS;
    const facts = { mode, network, lag_ms: lagMs };
    if (isBehind && !this.isTold) log.error(facts, 'the watcher is behind its chain');
    if (!isBehind && this.isTold) log.info(facts, 'the watcher has caught up with its chain');
    this.isTold = isBehind;
  }

  /** Age of the newest scanned block, or of the oldest one with a transfer that waits; null while nothing is known. */
  private get ms(): number | null {
    const { coverage, backlog, clock } = this.parts;
    if (coverage.coveredUntil === null) return null;
    return clock.now() - Math.min(coverage.coveredUntil, backlog.edge?.timeMs ?? Infinity);
  }
}
