import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import type { MemoryDocuments } from './memory-documents';
import type { MemoryEventStore } from './memory-event-store';

/** Engines that are reached once the test says so. */
export class EnginesOutage {
  store: MemoryEventStore | null = null;
  documents: MemoryDocuments | null = null;
  tries = 0;

  readonly connectors = {
    eventStore: async () => {
      this.tries += 1;
      if (!this.store) throw new StoreUnavailable('EventStoreDB cannot be reached');
      return this.store;
    },
    documents: async () => {
      if (!this.documents) throw new StoreUnavailable('MongoDB cannot be reached');
      return this.documents;
    },
  };
}
