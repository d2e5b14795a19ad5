import type { Clock } from '../kernel/clock';
import type { Chain } from '../kernel/ports/chain';
import type { RangeScan } from './range-scan';
import type { UnplacedBacklog } from './unplaced-backlog';
import { nearestAnswered } from './answered-header';
import type { TransferSightings } from './transfer-sightings';

/** Transfers that are placed before the time is looked at, and other waiting work has its turn. */
const STRETCH = 256;

type PlacingTurn = {
  /** Milliseconds of the wall's clock; one stretch is placed all the same. */
  readonly untilMs: number;
  /** Height up to which blocks have been read for good: these blocks can be read again. */
  readonly readTo: number;
  readonly recipients: readonly string[];
  readonly signal?: AbortSignal | undefined;
};

type BacklogPlacingParts = {
  readonly chain: Chain;
  readonly ranges: Pick<RangeScan, 'scan'>;
  readonly backlog: UnplacedBacklog;
  readonly sightings: TransferSightings;
  /** Called between stretches. */
  readonly between: () => Promise<void>;
  readonly clock: Clock;
};

/** Gives the transfers of the backlog their places, in turns whose time is limited. */
export class BacklogPlacing {
  constructor(private readonly parts: BacklogPlacingParts) {}

  /** Throws as TransferSightings.observe does. */
  async place({ untilMs, readTo, recipients, signal }: PlacingTurn): Promise<void> {
    const { backlog, sightings, between, clock } = this.parts;
    while (signal?.aborted !== true) {
      await this.readAgain(readTo, recipients);
      const stretch = backlog.first(STRETCH);
      if (stretch.length === 0) return;
      await sightings.placeAll(stretch, transfer => backlog.remove(transfer));
      await between();
      // A transfer that is recorded already is only read: without a pause the whole backlog would be one turn of the
      // event loop.
      await clock.wait(0, signal);
      if (clock.now() >= untilMs) return;
    }
  }

  /** Reads blocks whose transfers found no room. The blocks of a reading that fails are left as they were. */
  private async readAgain(readTo: number, recipients: readonly string[]): Promise<void> {
    const { chain, backlog, ranges } = this.parts;
    const span = backlog.nextLeft(readTo);
    if (span === null) return;
    const end = await nearestAnswered(chain, span.to, span.from);
    if (end === null) return;
    const putBack = backlog.takeLeft(end);
    try {
      await ranges.scan(span.from, end, recipients);
    } catch (error) {
      putBack();
      throw error;
    }
  }
}
