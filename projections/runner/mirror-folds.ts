import { BoundedMap } from '../../src/kernel/bounded-map';
import type { RecordedEvent } from '../../src/kernel/event';
import type { Document } from '../../src/kernel/ports/documents';
import type { DocumentChange, Projection } from '../../src/kernel/projection';
import { foldEvents } from './document-changes';

/** A shorter stream is folded whole, which costs no more than keeping its fold. */
const FOLDED_WHOLE_BELOW = 32;
/** Folds kept by a process, each of one stream and one mirror; a payment of a hundred transfers takes some 100 kB. */
const FOLDS_LIMIT = 512;

type Changes = ReadonlyMap<string, DocumentChange>;
type Fold = { readonly lastHash: string; readonly length: number; readonly changes: Changes };

/**
 * The documents that the history of a stream makes. An append to a long stream folds its new events alone onto the
 * documents of the events before. A fold follows from its events, whichever process appended them. An event's hash
 * stands for the whole history up to it, so a history with another hash there is folded whole.
 */
export class MirrorFolds {
  private readonly kept = new BoundedMap<string, Fold>(FOLDS_LIMIT);

  /** Throws PoisonEvent. */
  fold(projection: Projection, stream: string, history: readonly RecordedEvent[]): Changes {
    const last = history.at(-1);
    if (last === undefined || history.length < FOLDED_WHOLE_BELOW) return foldEvents(projection, history, () => null);
    const key = `${projection.name}/${stream}`;
    const before = this.kept.get(key);
    const isFurther = before !== undefined && history[before.length - 1]?.metadata.hash === before.lastHash;
    const changes = isFurther
      ? continued(projection, before.changes, history.slice(before.length))
      : foldEvents(projection, history, () => null);
    this.kept.set(key, { lastHash: last.metadata.hash, length: history.length, changes });
    return changes;
  }
}

function continued(projection: Projection, before: Changes, events: readonly RecordedEvent[]): Changes {
  const standing = (id: string): Document | null => {
    const change = before.get(id);
    return change && change.body !== null ? { ...change, body: change.body } : null;
  };
  return new Map([...before, ...foldEvents(projection, events, standing)]);
}
