import type { Mode } from '../kernel/event';
import type { BlockHeader } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../kernel/tokens';
import type { CoverageRecord } from './coverage-record';
import { SetAsideFull } from './set-aside';

export type SetAsideRoomParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly coverage: CoverageRecord;
  readonly log: Log;
};

/**
 * Whether anything more can be set aside. While nothing can, the scan waits, and other processes read so in the
 * coverage.
 */
export class SetAsideRoom {
  isFull = false;

  constructor(private readonly parts: SetAsideRoomParts) {}

  /** False where `act` found no room. */
  async guard(start: () => Promise<BlockHeader>, act: () => Promise<boolean>): Promise<boolean> {
    const { coverage, log, mode, network } = this.parts;
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof SetAsideFull)) throw error;
      if (!this.isFull) log.error({ mode, network, err: error }, 'nothing more can be set aside: scanning waits');
      this.isFull = true;
      await coverage.cursor(start);
      await coverage.noteWaiting(true);
      return false;
    }
  }

  /** There is room again. */
  async open(): Promise<void> {
    await this.parts.coverage.noteWaiting(false);
    this.isFull = false;
  }
}
