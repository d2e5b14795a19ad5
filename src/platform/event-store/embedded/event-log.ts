import type { NewEvent, RecordedEvent } from '../../../kernel/event';
import { invariant, InvariantViolation } from '../../../kernel/invariant';
import { earlierPosition, type LogPosition } from '../../../kernel/log-position';
import {
  START_OF_LOG,
  WrongExpectedRevision,
  type EventBatch,
  type ExpectedRevision,
  type LogFilter,
  type LogMark,
} from '../../../kernel/ports/event-store';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import { isConstraintViolation } from '../../embedded-file/sqlite-errors';
import { recordedEvent, rowAfter, rowOf, type EventRow, type NewRow } from './event-row';
import { RecentEvents } from './recent-events';

/**
 * Events of one page, and positions looked through for them, so that one turn of the event loop stays in milliseconds.
 */
const PAGE_EVENTS = 512;
export const PAGE_POSITIONS = 4_096;
/** The real engine's limit for one append is the same. */
const APPEND_BYTES_LIMIT = 1_024 * 1_024;

const COLUMNS = 'position, stream, revision, type, id, data, metadata';

/** The place of an append's last event; without a position where the log had the events already. */
type Inserted = { readonly revision: number; readonly lastPosition: LogPosition | null };

/** The tables of the log: appending, and reading pages of it. All reads are synchronous. */
export class EventLog {
  private readonly recent = new RecentEvents();

  constructor(private readonly file: EmbeddedFile) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<number> {
    const rows = events.map(event => rowOf(stream, event));
    const bytes = rows.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytes > APPEND_BYTES_LIMIT)
      throw new RangeError(`${stream}: ${bytes} bytes in one append, ${APPEND_BYTES_LIMIT} at most`);
    const outcome = await this.file.write(() => this.insert(stream, expected, rows));
    if (outcome instanceof Error) throw outcome;
    const { revision, lastPosition } = outcome;
    if (lastPosition !== null) this.recent.add(stream, events, revision, lastPosition);
    return revision;
  }

  /**
   * The limit is part of the text. SQLite plans a statement anew each time that a limit is bound to it, which takes ten
   * times as long as the reading.
   */
  readStream(stream: string, from: number, direction: 'forwards' | 'backwards', limit: number): RecordedEvent[] {
    const [comparison, order] = direction === 'forwards' ? ['>=', 'asc'] : ['<=', 'desc'];
    const sql = `select ${COLUMNS} from events
      where stream = ? and revision ${comparison} ? order by revision ${order} limit ${limit}`;
    return this.decodeAll(() => this.file.statement(sql).all(stream, from));
  }

  readAt(position: LogPosition): RecordedEvent {
    const sql = `select ${COLUMNS} from events where position = ?`;
    const [event] = this.decodeAll(() => this.file.statement(sql).all(position));
    invariant(event, `${this.file.path}: the log has no position ${position}`);
    return event;
  }

  lastPosition(): LogPosition {
    const row = this.file.read(() => this.file.statement('select max(position) from events').get());
    const [position] = row as [LogPosition | null];
    return position ?? START_OF_LOG;
  }

  /** Every number up to the last one belongs to an event. */
  lastEventUpTo(position: LogPosition): LogMark | null {
    const sql = 'select id from events where position = ?';
    const row = this.file.read(() => this.file.statement(sql).get(position)) as [string] | undefined;
    return row ? { position, id: row[0] } : null;
  }

  firstEventId(): string | null {
    const sql = 'select id from events order by position limit 1';
    const row = this.file.read(() => this.file.statement(sql).get()) as [string] | undefined;
    return row ? row[0] : null;
  }

  /** The next matching events after a position; `position` tells up to where they are complete. */
  readPage(filter: LogFilter, after: LogPosition): EventBatch {
    const head = this.lastPosition();
    const until = earlierPosition(head, rowAfter(after, PAGE_POSITIONS));
    if (until <= after) return { events: [], position: after, live: true };
    const recent = this.recent.between(filter, after, until);
    if (recent) return { events: recent, position: until, live: until === head };
    const among = filter === 'all' ? '' : 'and category in (select value from json_each(?))';
    const sql = `select ${COLUMNS} from events
      where position > ? and position <= ? ${among}
      order by position limit ${PAGE_EVENTS}`;
    const categories = filter === 'all' ? [] : [JSON.stringify(filter.categories)];
    const events = this.decodeAll(() => this.file.statement(sql).all(after, until, ...categories));
    const last = events.at(-1);
    const position = events.length === PAGE_EVENTS && last ? last.position : until;
    return { events, position, live: position === head };
  }

  private decodeAll(read: () => unknown[]): RecordedEvent[] {
    return (this.file.read(read) as EventRow[]).map(recordedEvent);
  }

  /**
   * Refusals are answered, not thrown: they are usual under contention, and a throw would send the whole batch the slow
   * way. A new stream is not looked for first: the index that its first event is written to would hold another one.
   */
  private insert(
    stream: string,
    expected: ExpectedRevision,
    rows: readonly NewRow[],
  ): Inserted | WrongExpectedRevision {
    const isNew = expected === 'no_stream';
    const refused = isNew ? null : this.answerStanding(stream, expected, rows);
    if (refused) return refused;
    const insert = this.file.statement(
      'insert into events (stream, revision, type, id, data, metadata) values (?, ?, ?, ?, ?, ?)',
    );
    let revision = isNew ? -1 : expected;
    let lastPosition: number | bigint = START_OF_LOG;
    try {
      for (const row of rows) lastPosition = insert.run(stream, ++revision, ...row).lastInsertRowid;
    } catch (error) {
      if (!isConstraintViolation(error)) throw error;
      const standing = isNew && revision === 0 ? this.answerStanding(stream, expected, rows) : null;
      if (standing) return standing;
      throw new InvariantViolation(`${stream}: an event id of this append is another recorded event's`);
    }
    return { revision, lastPosition: Number(lastPosition) as LogPosition };
  }

  /** The answer where the stream is not at the expected revision; null where it is. */
  private answerStanding(
    stream: string,
    expected: ExpectedRevision,
    rows: readonly NewRow[],
  ): Inserted | WrongExpectedRevision | null {
    const head = this.headRevision(stream);
    const before = expected === 'no_stream' ? -1 : expected;
    if (before === head) return null;
    if (before < head && this.isRepetition(stream, before, rows))
      return { revision: before + rows.length, lastPosition: null };
    return new WrongExpectedRevision(stream, expected, head < 0 ? 'no_stream' : head);
  }

  private headRevision(stream: string): number {
    const sql = 'select revision from events where stream = ? order by revision desc limit 1';
    const [revision] = (this.file.statement(sql).get(stream) ?? [-1]) as [number];
    return revision;
  }

  private isRepetition(stream: string, before: number, rows: readonly NewRow[]): boolean {
    const sql = 'select id from events where stream = ? and revision > ? order by revision limit ?';
    const recorded = this.file.statement(sql).all(stream, before, rows.length) as [string][];
    return rows.every(([, id], index) => recorded[index]?.[0] === id);
  }
}
