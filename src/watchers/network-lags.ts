import type { Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { NetworkAlarm } from '../vocabulary/network-alarm';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import { isTooOld, type CoverageRecord } from './coverage-record';
import type { UnplacedBacklog } from './unplaced-backlog';

type NetworkLagsParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly coverage: Pick<CoverageRecord, 'coveredUntil'>;
  readonly backlog: Pick<UnplacedBacklog, 'edge'>;
  readonly clock: Clock;
  readonly log: Log;
};

const TOLD = {
  behind: ['the watcher is behind its chain', 'the watcher has caught up with its chain'],
  unplaced: ['transfers have waited too long for a place', 'transfers find their places in time again'],
} as const;
type Lag = keyof typeof TOLD;
const LAGS: readonly Lag[] = ['behind', 'unplaced'];

/**
 * The two ways in which a network can be late, in the process that watches it. `behind`: the newest scanned block is
 * too old, so payments may be unseen, and the network takes no new quotes. `unplaced`: a transfer that no payment
 * waited for was read that long ago and has no place yet. Then only the queue is late.
 */
export class NetworkLags {
  private readonly told = new Set<Lag>();
  private beganMs: number;

  constructor(private readonly parts: NetworkLagsParts) {
    this.beganMs = parts.clock.now();
  }

  /** Watching begins: where nothing was ever scanned, the lag counts from now. */
  begin(): void {
    this.beganMs = this.parts.clock.now();
  }

  /** The graver one; null while neither is. The answer is judged anew each time: a tick that catches up takes long. */
  get alarm(): Extract<NetworkAlarm, Lag> | null {
    return LAGS.find(lag => this.isRaised(lag)) ?? null;
  }

  /** Tells once when a lag begins, and once when it is over. */
  tell(): void {
    const { log, clock, mode, network } = this.parts;
    for (const lag of LAGS) {
      const isRaised = this.isRaised(lag);
      const [begun, over] = TOLD[lag];
      const facts = { mode, network, lag_ms: clock.now() - Math.min(this.sinceMs(lag), clock.now()) };
      if (isRaised && !this.told.has(lag)) log.error(facts, begun);
      if (!isRaised && this.told.delete(lag)) log.info(facts, over);
      if (isRaised) this.told.add(lag);
    }
  }

  private isRaised(lag: Lag): boolean {
    return isTooOld(this.sinceMs(lag), this.parts.clock.now());
  }

  /** Milliseconds of the wall's clock. */
  private sinceMs(lag: Lag): number {
    const { coverage, backlog } = this.parts;
    return lag === 'behind' ? (coverage.coveredUntil ?? this.beganMs) : (backlog.edge?.timeMs ?? Infinity);
  }
}
