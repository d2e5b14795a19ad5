import type { EventBatch, EventFilter, EventStore } from '../../../src/kernel/ports/event-store';
import type { LogPosition } from '../../../src/kernel/log-position';

/** A store that counts its subscriptions and the events that they give. */
export class SubscriptionCount {
  /** The filter of each subscription that is open. */
  readonly held = new Set<EventFilter>();
  given = 0;
  readonly store: EventStore;

  constructor(store: EventStore) {
    const subscribe = (filter: EventFilter, after: LogPosition, signal: AbortSignal) =>
      this.counted({ ...filter }, store.subscribe(filter, after, signal));
    this.store = Object.assign(Object.create(store) as EventStore, { subscribe });
  }

  get open(): number {
    return this.held.size;
  }

  private async *counted(filter: EventFilter, batches: AsyncIterable<EventBatch>): AsyncGenerator<EventBatch> {
    this.held.add(filter);
    try {
      for await (const batch of batches) {
        this.given += batch.events.length;
        yield batch;
      }
    } finally {
      this.held.delete(filter);
    }
  }
}
