import type { Mode } from '../vocabulary/modes';
import type { BlockHeader } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import type { CoverageRecord } from './coverage-record';

type SetAsideRoomParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly coverage: CoverageRecord;
  readonly log: Log;
};

/**
 * Whether anything more can be set aside. While nothing can, the scan waits, and other processes read that in the
 * coverage.
 */
export class SetAsideRoom {
  isFull = false;

  constructor(private readonly parts: SetAsideRoomParts) {}

  /** `start` gives the block before the first one, where the network was never watched. */
  async fill(fault: Error, start: () => Promise<BlockHeader>): Promise<void> {
    const { coverage, log, mode, network } = this.parts;
    if (!this.isFull) log.error({ mode, network, err: fault }, 'nothing more can be set aside: scanning waits');
    this.isFull = true;
    await coverage.cursor(start);
    await coverage.noteWaiting(true);
  }

  /** There is room again. */
  async clear(): Promise<void> {
    await this.parts.coverage.noteWaiting(false);
    this.isFull = false;
  }
}
