import type { EventBatch, EventFilter, EventStore } from '../../../src/kernel/ports/event-store';
import type { LogPosition } from '../../../src/kernel/log-position';

/** A store that counts its subscriptions and the events that they give. */
export class SubscriptionCount {
  open = 0;
  given = 0;
  readonly store: EventStore;

  constructor(store: EventStore) {
    const subscribe = (filter: EventFilter, after: LogPosition, signal: AbortSignal) =>
      this.counted(store.subscribe(filter, after, signal));
    this.store = Object.assign(Object.create(store) as EventStore, { subscribe });
  }

  private async *counted(batches: AsyncIterable<EventBatch>): AsyncGenerator<EventBatch> {
    this.open++;
    try {
      for await (const batch of batches) {
        this.given += batch.events.length;
        yield batch;
      }
    } finally {
      this.open--;
    }
  }
}
