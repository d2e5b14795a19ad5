import { isoTime, type Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Collection, CollectionSpec, Document, Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';

/** The progress of a projection's collection: the collection has every event up to `position`. */
export type CheckpointDocument = {
  readonly projection: string;
  /** The version of the projection that made the documents. */
  readonly version: number;
  readonly position: LogPosition;
  /** The event at `position`: a log with another event there, or none, is a different log. Null at the log's start. */
  readonly event_id: string | null;
  /** The position of an earlier event, at which a loop goes on after a restart: see RestartTrail. */
  readonly restart_from: LogPosition;
  /** The id of the log's first event; null while the log is empty. */
  readonly log: string | null;
  /** The incarnation of the collection to which `position` belongs: each switch raises it. */
  readonly generation: number;
  /** `switching`: another incarnation, complete up to `position`, is about to take the collection's place. */
  readonly state: 'following' | 'switching' | 'failed';
  readonly error: string | null;
  readonly events_per_second: number;
  readonly updated_at: string;
};

/** The part of a checkpoint that says which events are in the documents. */
export type Coverage = Pick<CheckpointDocument, 'position' | 'event_id' | 'restart_from' | 'log'>;
export const NOTHING_COVERED: Coverage = {
  position: START_OF_LOG,
  event_id: null,
  restart_from: START_OF_LOG,
  log: null,
};

export type StoredCheckpoint = Document<CheckpointDocument>;
type CheckpointFacts = Omit<CheckpointDocument, 'projection' | 'updated_at'>;

const CHECKPOINTS: CollectionSpec = { name: 'checkpoints', indexes: {} };

/**
 * Checkpoints lie beside the documents, in the same database. Each write expects the one before, so two writers never
 * overlook each other.
 */
export class Checkpoints {
  private constructor(
    private readonly collection: Collection<CheckpointDocument>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<Checkpoints> {
    return new Checkpoints(await documents.open<CheckpointDocument>(CHECKPOINTS), clock);
  }

  load(projection: string): Promise<StoredCheckpoint | null> {
    return this.collection.get(projection);
  }

  /** Null when another process has written since `standing` was read. */
  async save(
    projection: string,
    standing: StoredCheckpoint | null,
    facts: CheckpointFacts,
  ): Promise<StoredCheckpoint | null> {
    const body = { ...facts, projection, updated_at: isoTime(this.clock.now()) };
    const document = { id: projection, version: (standing?.version ?? 0) + 1, body };
    const isWritten = standing
      ? await this.collection.replace(document, standing.version)
      : await this.collection.insert(document);
    return isWritten ? document : null;
  }
}
