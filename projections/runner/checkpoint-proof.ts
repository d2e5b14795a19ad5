import type { Clock } from '../../src/kernel/clock';
import { refuse } from '../../src/vocabulary/errors';
import type { Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import { Checkpoints, type CheckpointDocument } from './checkpoints';

const REMEDY =
  'Name the log and the document store that belong together, or an empty document store, ' +
  'or make the read models anew from this log by `projections rebuild`.';

/**
 * `sound`: the log holds the event that the checkpoint names. `astray`: the log has no such event, or the checkpoint
 * names none. The events of the documents are gone, so the documents are made anew. `foreign`: the documents were made
 * of another log.
 */
type CheckpointProof = 'sound' | 'astray' | 'foreign';

type Place = Partial<Pick<CheckpointDocument, 'log' | 'position' | 'event_id' | 'restart_from'>>;

export async function proveCheckpoint(store: EventStore, checkpoint: Place): Promise<CheckpointProof> {
  const { log, position, event_id, restart_from } = checkpoint;
  if (log === undefined || position === undefined || restart_from === undefined) return 'astray';
  if (log !== null && (await store.firstEventId()) !== log) return 'foreign';
  if (position === START_OF_LOG) return 'sound';
  const mark = await store.lastEventUpTo(position);
  return mark?.position === position && mark.id === event_id ? 'sound' : 'astray';
}

/** The documents were made of another log. Trying again cannot help: an operator must say which of the two is meant. */
export class ForeignDocuments extends Error {
  constructor(projection: string) {
    super(`the documents of ${projection} were made from another event log. ${REMEDY}`);
    this.name = 'ForeignDocuments';
  }
}

/** Throws Refusal invalid_config where a projection's documents were made of another log than this one. */
export async function refuseForeignDocuments(
  { store, documents, clock }: { readonly store: EventStore; readonly documents: Documents; readonly clock: Clock },
  projections: readonly { readonly name: string }[],
): Promise<void> {
  const checkpoints = await Checkpoints.open(documents, clock);
  const first = await store.firstEventId();
  for (const { name } of projections) {
    const log = (await checkpoints.load(name))?.body.log ?? null;
    if (log === null || log === first) continue;
    const message =
      `The documents belong to another event log: those of ${name} were made from the log that begins with event ${log}, ` +
      `and this log ${first === null ? 'is empty' : `begins with event ${first}`}. ${REMEDY}`;
    throw refuse('invalid_config', { message });
  }
}
