import type { Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import type { IndexProgress } from '../../src/kernel/ports/index-progress';
import { Checkpoints } from './checkpoints';

/**
 * By the checkpoints, which lie beside the documents and are as old as they are: in whichever process the projections
 * run.
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
    // Documents of an older version are being rebuilt, and those of a rebuild that broke off have none: neither is
    // followed.
    return standing !== undefined && standing.version >= version && standing.position >= position;
  }
}
