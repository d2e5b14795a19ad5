import type { Clock } from '../kernel/clock';
import type { Mode } from '../kernel/event';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../kernel/tokens';
import { LAG_ALARM_MS, type CoverageRecord } from './coverage-record';
import type { UnplacedBacklog } from './unplaced-backlog';

export type LagAlarmParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly coverage: Pick<CoverageRecord, 'coveredUntil'>;
  readonly backlog: Pick<UnplacedBacklog, 'edge'>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Whether the newest scanned block of a network has become too old, in the process that watches it. */
export class LagAlarm {
  private isTold = false;
  private beganMs: number;

  constructor(private readonly parts: LagAlarmParts) {
    this.beganMs = parts.clock.now();
  }

  /** Watching begins: where nothing was ever scanned, the lag counts from now. */
  begin(): void {
    this.beganMs = this.parts.clock.now();
  }

  /** Judged anew each time: a tick that catches up takes long, and tells nobody before its end. */
  get isRaised(): boolean {
    return this.lagMs > LAG_ALARM_MS;
  }

  /** Tells once when the alarm is raised, and once when that is over. */
  tell(): void {
    const { log, mode, network } = this.parts;
    const { isRaised } = this;
    const facts = { mode, network, lag_ms: this.lagMs };
    if (isRaised && !this.isTold) log.error(facts, 'the watcher is behind its chain');
    if (!isRaised && this.isTold) log.info(facts, 'the watcher has caught up with its chain');
    this.isTold = isRaised;
  }

  /** Age of the newest scanned block, or of the oldest one with a transfer that has no place yet. */
  private get lagMs(): number {
    const { coverage, backlog, clock } = this.parts;
    return clock.now() - Math.min(coverage.coveredUntil ?? this.beganMs, backlog.edge?.timeMs ?? Infinity);
  }
}
