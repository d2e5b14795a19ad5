import type { Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import type { IndexProgress } from '../../src/kernel/ports/index-progress';
import { Checkpoints } from './checkpoints';

/**
 * The progress by the checkpoints, which lie beside the documents and have their age. The checkpoints hold for every
 * process that runs projections.
 */
export class StoredProgress implements IndexProgress {
  private checkpoints: Checkpoints | null = null;

  constructor(
    private readonly store: Pick<EventStore, 'lastPosition'>,
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  head(): Promise<LogPosition> {
    return this.store.lastPosition();
  }

  async holds({ name, version }: { readonly name: string; readonly version: number }, position: LogPosition) {
    if (position === START_OF_LOG) return true;
    const checkpoints = (this.checkpoints ??= await Checkpoints.open(this.documents, this.clock));
    const standing = (await checkpoints.load(name))?.body;
    // Documents of an older version are being rebuilt, and those of a broken-off rebuild have no version: neither are
    // followed.
    return standing !== undefined && standing.version >= version && standing.position >= position;
  }
}
