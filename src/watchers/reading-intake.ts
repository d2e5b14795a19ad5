import { isoTime } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import type { LeaveUnread, Observe } from './range-scan';
import type { SetAside } from './set-aside';
import type { TransferSightings } from './transfer-sightings';
import type { UnplacedBacklog } from './unplaced-backlog';
import type { WatchPolicy } from '../vocabulary/watch-policy';

type ReadingIntakeParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly policy: WatchPolicy;
  readonly sightings: TransferSightings;
  readonly backlog: UnplacedBacklog;
  readonly setAside: SetAside;
  /** The wall's moment just before the head was asked for. */
  readonly seenAtMs: () => number;
  /** Whether the scan left out blocks before those that are read. */
  readonly hasLeftOut: () => boolean;
  /** Called after each reading. */
  readonly between: () => Promise<void>;
  readonly log: Log;
};

/** Takes in one reading of blocks: its transfers, and the blocks that could not be read. */
export class ReadingIntake {
  constructor(private readonly parts: ReadingIntakeParts) {}

  readonly observe: Observe = async (token, found, isAgreed) => {
    const { sightings, backlog, between } = this.parts;
    const seenAtMs = this.parts.seenAtMs();
    const isProvisional = !this.counts(isAgreed);
    const all = found.map(({ transfer, block }) => ({ token, transfer, block, seenAtMs, isProvisional }));
    backlog.add(await sightings.observeAwaited(all));
    await between();
  };

  readonly leaveUnread: LeaveUnread = async ({ reason, txHash, number: to_number }, block, isAgreed) => {
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
    await setAside.openHole({ ...place, seen_at: isoTime(this.parts.seenAtMs()), reason, tx_hash: txHash });
  };

  /**
   * Whether coverage goes by this reading of a block. If not, coverage goes by the reading that follows the agreement.
   */
  private counts(isAgreed: boolean): boolean {
    const { policy, hasLeftOut } = this.parts;
    return isAgreed || (policy.readsForGood === 'first_sight' && !hasLeftOut());
  }
}
