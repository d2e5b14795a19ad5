import type { RecordedEvent } from '../../kernel/event';
import type { LogPosition } from '../../kernel/log-position';
import { DOCUMENTS_PER_READ, type Collection, type Document, type Documents } from '../../kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../kernel/ports/event-store';
import { auditEntries, type AuditEntryDocument } from '../../modules/audit/audit-entry';
import { AUDIT_CATEGORIES } from '../../modules/audit/audit-rules';
import { canonicalJson } from '../../vocabulary/json';
import type { AuditRows } from './audit-rows';

const BUILDING = 'audit_entries_building';
/** Faulty rows that are named; further ones are counted. */
const FAULTS_NAMED = 100;
/** Missing rows that are looked for again; further ones are faults at once. */
const LATE_ROWS = 1_000;

type Row = Document<AuditEntryDocument>;
type Rows = Collection<AuditEntryDocument>;

type AuditFault = { readonly id: string; readonly kind: 'missing' | 'changed' };
type AuditCheck = {
  readonly equal: boolean;
  readonly events: number;
  readonly faults: readonly AuditFault[];
  readonly faultsFound: number;
  /** Rows of no event of the log. */
  readonly surplus: number;
};

type Parts = {
  readonly store: Pick<EventStore, 'subscribe' | 'lastPosition'>;
  readonly documents: Pick<Documents, 'open' | 'switch' | 'drop'>;
  readonly rows: AuditRows;
  readonly signal: AbortSignal;
  /** Called with the events that were just read. */
  readonly onEvents?: (events: readonly RecordedEvent[]) => void;
};

/** Rows of one write or comparison, and rows that are made at once. */
const ROWS_AT_ONCE = Math.min(DOCUMENTS_PER_READ, 500);

/**
 * Compares the rows with the log. A row that is not there yet is looked for again at the end: the group may be behind.
 */
export async function checkAudit(parts: Parts): Promise<AuditCheck> {
  const live = await parts.documents.open<AuditEntryDocument>(auditEntries);
  const standing = await live.count();
  const missing: Row[] = [];
  const faults: AuditFault[] = [];
  let [events, present, faultsFound] = [0, 0, 0];
  const note = (kind: AuditFault['kind'], { id }: Row): void => {
    faultsFound++;
    if (faults.length < FAULTS_NAMED) faults.push({ id, kind });
  };
  await eachBatch(parts, START_OF_LOG, async rows => {
    events += rows.length;
    const found = await compared(live, rows);
    present += rows.length - found.missing.length;
    const room = LATE_ROWS - missing.length;
    missing.push(...found.missing.slice(0, room));
    for (const row of found.missing.slice(room)) note('missing', row);
    for (const row of found.changed) note('changed', row);
  });
  const late = await compared(live, missing);
  for (const row of late.missing) note('missing', row);
  for (const row of late.changed) note('changed', row);
  const surplus = Math.max(0, standing - present);
  return { equal: faultsFound + surplus === 0, events, faults, faultsFound, surplus };
}

/**
 * Builds the rows anew beside the live ones, and switches. The group may write to the old rows until then. So the rows
 * of events since the beginning are written once more after the switch. Answers the number of events.
 */
export async function rebuildAudit(parts: Parts): Promise<number> {
  const { documents } = parts;
  await documents.open<AuditEntryDocument>(auditEntries);
  await documents.drop(BUILDING);
  const built = await documents.open<AuditEntryDocument>({ ...auditEntries, name: BUILDING });
  let events = 0;
  const reached = await eachBatch(parts, START_OF_LOG, async rows => {
    await built.insertAll(rows);
    events += rows.length;
  });
  await documents.switch(BUILDING, auditEntries.name);
  const live = await documents.open<AuditEntryDocument>(auditEntries);
  await eachBatch(parts, reached, async rows => {
    events += rows.length;
    await live.insertAll(rows);
  });
  return events;
}

async function compared(live: Rows, rows: readonly Row[]) {
  const standing = new Map(
    (await live.getAll(rows.map(({ id }) => id))).map(({ id, body }) => [id, canonicalJson(body)]),
  );
  const missing = rows.filter(({ id }) => !standing.has(id));
  const changed = rows.filter(({ id, body }) => standing.has(id) && standing.get(id) !== canonicalJson(body));
  return { missing, changed };
}

/** The rows of all events after the position and up to the log's end; answers the position that was reached. */
async function eachBatch(
  { store, rows, signal, onEvents }: Parts,
  after: LogPosition,
  take: (rows: readonly Row[]) => Promise<void>,
): Promise<LogPosition> {
  const head = await store.lastPosition();
  if (head <= after) return after;
  const done = new AbortController();
  const log = store.subscribe({ categories: AUDIT_CATEGORIES }, after, AbortSignal.any([signal, done.signal]));
  let reached = after;
  try {
    for await (const { events, position, live } of log) {
      for (let from = 0; from < events.length; from += ROWS_AT_ONCE) {
        const some = events.slice(from, from + ROWS_AT_ONCE);
        await take(await Promise.all(some.map(event => rows.rowOf(event))));
      }
      onEvents?.(events);
      reached = position;
      if (live || position >= head) break;
    }
  } finally {
    done.abort();
  }
  signal.throwIfAborted();
  return reached;
}
