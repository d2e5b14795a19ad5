import { SECOND_MS, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { NetworkAlarm } from '../vocabulary/network-alarm';
import type { WatchPolicy } from '../vocabulary/watch-policy';
import type { BlockHeader } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import { isTooOld, type CoverageRecord } from './coverage-record';
import type { UnplacedBacklog } from './unplaced-backlog';

type NetworkLagsParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly policy: Pick<WatchPolicy, 'paidAt'>;
  readonly coverage: Pick<CoverageRecord, 'coveredUntil'>;
  readonly backlog: Pick<UnplacedBacklog, 'edge'>;
  readonly clock: Clock;
  readonly log: Log;
};

const TOLD = {
  behind: ['the watcher is behind its chain', 'the watcher has caught up with its chain'],
  clock: [
    'the clock is far from the newest block: it is wrong, or the chain stands still',
    'the clock is near the newest block again',
  ],
  unplaced: ['transfers have waited too long for a place', 'transfers find their places in time again'],
} as const;
type Lag = keyof typeof TOLD;
const LAGS: readonly Lag[] = ['behind', 'clock', 'unplaced'];

/** Blocks come every few seconds: a newest block that is so far from the clock is no young block of a right clock. */
const CLOCK_ALARM_MS = 30 * SECOND_MS;

/**
 * The ways in which a network can be late, in the process that watches it. `behind`: the newest scanned block is too
 * old, so payments may be unseen, and the network takes no new quotes. `clock`: payers may count as late or early by a
 * wrong clock. `unplaced`: a transfer that no payment waited for was read that long ago and has no place yet. Then only
 * the queue is late.
 */
export class NetworkLags {
  private readonly told = new Set<Lag>();
  private beganMs: number;
  /** The time by which the clock was ahead of the newest block at the last look at the head; negative where behind. */
  private aheadMs = 0;

  constructor(private readonly parts: NetworkLagsParts) {
    this.beganMs = parts.clock.now();
  }

  /** Watching begins: where nothing was ever scanned, the lag counts from now. */
  begin(): void {
    this.beganMs = this.parts.clock.now();
    this.aheadMs = 0;
  }

  /**
   * `askedAtMs`: the moment before the request for the head, whose answer may take long. The blocks of a local chain
   * have any time.
   */
  seeHead({ timeMs }: Pick<BlockHeader, 'timeMs'>, askedAtMs: number): void {
    const { policy, clock } = this.parts;
    if (policy.paidAt === 'first_sight') return;
    this.aheadMs = timeMs > askedAtMs ? Math.min(0, clock.now() - timeMs) : askedAtMs - timeMs;
  }

  /** The gravest one; null while none is. The answer is judged anew each time: a tick that catches up takes long. */
  get alarm(): Extract<NetworkAlarm, Lag> | null {
    return LAGS.find(lag => this.isRaised(lag)) ?? null;
  }

  /** Tells once when a lag begins, and once when it is over. */
  tell(): void {
    const { log, mode, network } = this.parts;
    for (const lag of LAGS) {
      const isRaised = this.isRaised(lag);
      const [begun, over] = TOLD[lag];
      const facts = { mode, network, ...this.extentOf(lag) };
      if (isRaised && !this.told.has(lag)) log.error(facts, begun);
      if (!isRaised && this.told.delete(lag)) log.info(facts, over);
      if (isRaised) this.told.add(lag);
    }
  }

  private isRaised(lag: Lag): boolean {
    if (lag === 'clock') return Math.abs(this.aheadMs) >= CLOCK_ALARM_MS;
    return isTooOld(this.sinceMs(lag), this.parts.clock.now());
  }

  private extentOf(lag: Lag) {
    if (lag === 'clock') return { clock_ahead_ms: this.aheadMs };
    const nowMs = this.parts.clock.now();
    return { lag_ms: nowMs - Math.min(this.sinceMs(lag), nowMs) };
  }

  /** Milliseconds of the wall's clock. */
  private sinceMs(lag: Exclude<Lag, 'clock'>): number {
    const { coverage, backlog } = this.parts;
    return lag === 'behind' ? (coverage.coveredUntil ?? this.beganMs) : (backlog.edge?.timeMs ?? Infinity);
  }
}
