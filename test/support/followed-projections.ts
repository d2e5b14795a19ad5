import type { RecordedEvent } from '../../src/kernel/event';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Document, Documents } from '../../src/kernel/ports/documents';
import { applyEvents, type DocumentChange, type Projection } from '../../src/kernel/projection';

/** The newest change of each document, by its id. */
type Changes = Map<string, DocumentChange>;

/**
 * Projections that follow each stream at once. The changes of each stream are kept, so that an event is folded once,
 * however long the stream grows.
 */
export class FollowedProjections {
  private readonly streams = new Map<string, readonly Changes[]>();

  constructor(
    private readonly documents: Documents,
    private readonly projections: readonly Projection[],
  ) {}

  /** Writes all documents of the stream as its whole history leaves them. */
  async follow(history: readonly RecordedEvent[]): Promise<void> {
    const [first] = history;
    if (first === undefined) return;
    const ofStream = this.streams.get(first.stream) ?? this.projections.map((): Changes => new Map());
    this.streams.set(first.stream, ofStream);
    const positioned = history.map(event => ({ ...event, position: event.revision as LogPosition }));
    for (const [index, projection] of this.projections.entries()) {
      const changes = ofStream[index] as Changes;
      const before = (id: string) => (changes.get(id) ?? null) as Document | null;
      for (const [id, change] of applyEvents(projection, positioned, before)) changes.set(id, change);
      if (changes.size === 0) continue;
      const collection = await this.documents.open(projection);
      for (const { id, version, body } of changes.values()) {
        if (body === null) await collection.deleteUpTo(id, version);
        else await collection.put({ id, version, body });
      }
    }
  }
}
