import type { NewEvent, RecordedEvent } from '../../../kernel/event';
import { invariant, InvariantViolation } from '../../../kernel/invariant';
import { earlierPosition, type LogPosition } from '../../../kernel/log-position';
import {
  START_OF_LOG,
  WrongExpectedRevision,
  type EventBatch,
  type EventFilter,
  type ExpectedRevision,
  type LogMark,
} from '../../../kernel/ports/event-store';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import { isConstraintViolation } from '../../embedded-file/sqlite-errors';
import { EventCodec, formatUuid, type EncodedEvent, type EventRow } from './event-codec';
import { Vocabulary } from './vocabulary';

/** Events of one page, and positions looked through for them, so that one turn of the event loop stays in milliseconds. */
const PAGE_EVENTS = 512;
export const PAGE_POSITIONS = 4_096;
/** The real engine's limit for one append is the same. */
const APPEND_BYTES_LIMIT = 1_024 * 1_024;
/** An append that must learn words may be overtaken by a full dictionary once; more rounds than this are a defect. */
const LEARNING_ROUNDS = 4;

const COLUMNS = 'e.position, s.name, e.revision, e.kind, e.id, e.hashes, e.body';

/** The tables of the log: appending, and reading pages of it. All reads are synchronous. */
export class EventLog {
  private readonly codec: EventCodec;
  private readonly vocabulary: Vocabulary;

  constructor(private readonly file: EmbeddedFile) {
    this.vocabulary = new Vocabulary(file);
    this.codec = new EventCodec(this.vocabulary);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<number> {
    const encoded = await this.encode(stream, events);
    const outcome = await this.file.write(() => this.insert(stream, expected, encoded));
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** The limit is part of the text: SQLite plans a statement anew each time that a limit is bound to it, which takes ten times as long as the reading. */
  readStream(stream: string, from: number, direction: 'forwards' | 'backwards', limit: number): RecordedEvent[] {
    const [comparison, order] = direction === 'forwards' ? ['>=', 'asc'] : ['<=', 'desc'];
    const sql = `select ${COLUMNS} from streams s join events e on e.stream = s.id
      where s.name = ? and e.revision ${comparison} ? order by e.revision ${order} limit ${limit}`;
    return this.decodeAll(() => this.file.statement(sql).all(stream, from));
  }

  readAt(position: LogPosition): RecordedEvent {
    const sql = `select ${COLUMNS} from events e join streams s on s.id = e.stream where e.position = ?`;
    const [event] = this.decodeAll(() => this.file.statement(sql).all(position));
    invariant(event, `${this.file.path}: the log has no position ${position}`);
    return event;
  }

  lastPosition(): LogPosition {
    const row = this.file.read(() => this.file.statement('select max(position) from events').get());
    const [position] = row as [LogPosition | null];
    return position ?? START_OF_LOG;
  }

  /** Every number up to the last one is an event's. */
  lastEventUpTo(position: LogPosition): LogMark | null {
    const sql = 'select id from events where position = ?';
    const row = this.file.read(() => this.file.statement(sql).get(position)) as [Uint8Array] | undefined;
    return row ? { position, id: formatUuid(row[0]) } : null;
  }

  firstEventId(): string | null {
    const sql = 'select id from events order by position limit 1';
    const row = this.file.read(() => this.file.statement(sql).get()) as [Uint8Array] | undefined;
    return row ? formatUuid(row[0]) : null;
  }

  /** The next matching events after a position; `position` says how far they are complete. */
  readPage(filter: EventFilter, after: LogPosition): EventBatch {
    const head = this.lastPosition();
    const until = earlierPosition(head, rowAfter(after, PAGE_POSITIONS));
    if (until <= after) return { events: [], position: after, live: true };
    const sql = `select ${COLUMNS} from events e join streams s on s.id = e.stream
      where e.position > ? and e.position <= ?
        and e.kind in (select id from kinds where category in (select value from json_each(?)))
      order by e.position limit ${PAGE_EVENTS}`;
    const events = this.decodeAll(() => this.file.statement(sql).all(after, until, JSON.stringify(filter.categories)));
    const last = events.at(-1);
    const position = events.length === PAGE_EVENTS && last ? last.position : until;
    return { events, position, live: position === head };
  }

  private decodeAll(read: () => unknown[]): RecordedEvent[] {
    return (this.file.read(read) as EventRow[]).map(row => this.codec.decode(row));
  }

  private async encode(stream: string, events: readonly NewEvent[]): Promise<readonly EncodedEvent[]> {
    for (let round = 1; round <= LEARNING_ROUNDS; round++) {
      const encoded = events.map(event => this.codec.encode(stream, event));
      if (isComplete(encoded)) {
        const bytes = encoded.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
        if (bytes > APPEND_BYTES_LIMIT)
          throw new RangeError(`${stream}: ${bytes} bytes in one append, ${APPEND_BYTES_LIMIT} at most`);
        return encoded;
      }
      await this.vocabulary.learn();
    }
    throw new InvariantViolation(`${stream}: the vocabulary did not learn its words`);
  }

  /** Refusals are answered, not thrown: they are usual under contention, and a throw would send the whole batch the slow way. */
  private insert(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EncodedEvent[],
  ): number | WrongExpectedRevision {
    const [known] = (this.file.statement('select id from streams where name = ?').get(stream) ?? []) as [number?];
    const head = known === undefined ? -1 : this.headRevision(known);
    const before = expected === 'no_stream' ? -1 : expected;
    if (before < head && known !== undefined && this.isRepetition(known, before, events)) return before + events.length;
    if (before !== head) return new WrongExpectedRevision(stream, expected, head < 0 ? 'no_stream' : head);
    const id = known ?? this.file.statement('insert into streams (name) values (?)').run(stream).lastInsertRowid;
    const insert = this.file.statement(
      'insert into events (stream, revision, kind, id, hashes, body) values (?, ?, ?, ?, ?, ?)',
    );
    let revision = head;
    try {
      for (const event of events) insert.run(id, ++revision, event.kind, event.id, event.hashes, event.body);
    } catch (error) {
      if (!isConstraintViolation(error)) throw error;
      throw new InvariantViolation(`${stream}: an event id of this append is another recorded event's`);
    }
    return revision;
  }

  private headRevision(stream: number): number {
    const sql = 'select revision from events where stream = ? order by revision desc limit 1';
    const [revision] = (this.file.statement(sql).get(stream) ?? [-1]) as [number];
    return revision;
  }

  private isRepetition(stream: number, before: number, events: readonly EncodedEvent[]): boolean {
    const sql = 'select id from events where stream = ? and revision > ? order by revision limit ?';
    const recorded = this.file.statement(sql).all(stream, before, events.length) as [Uint8Array][];
    return events.every(({ id }, index) => {
      const [other] = recorded[index] ?? [];
      return other !== undefined && Buffer.compare(id, other) === 0;
    });
  }
}

/** This file numbers its events one by one, and here alone that is known: the row `rows` behind a position, which may not be there yet. */
export function rowAfter(position: LogPosition, rows: number): LogPosition {
  const row: number = position;
  return (row + rows) as LogPosition;
}

function isComplete(encoded: (EncodedEvent | null)[]): encoded is EncodedEvent[] {
  return !encoded.includes(null);
}
