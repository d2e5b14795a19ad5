import type { LogPosition } from '../../../kernel/log-position';
import { START_OF_LOG, type EventFilter, type GroupStatus } from '../../../kernel/ports/event-store';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';

export type StoredGroup = { readonly filter: EventFilter; readonly checkpoint: LogPosition };

/** The number of times that a message has failed, and whether it is parked. */
export type Trouble = { readonly failures: number; readonly parked: boolean };

/**
 * The facts that a group must find again after a restart. Every message up to the checkpoint is acknowledged or in
 * trouble.
 */
export class GroupTable {
  constructor(private readonly file: EmbeddedFile) {}

  load(name: string): StoredGroup {
    const sql = 'select filter, checkpoint from event_groups where name = ?';
    const row = this.file.read(() => this.file.statement(sql).get(name)) as [string, LogPosition] | undefined;
    if (!row) throw unknownGroup(name);
    return { filter: JSON.parse(row[0]) as EventFilter, checkpoint: row[1] };
  }

  /** An existing group keeps its checkpoint. */
  ensure(name: string, filter: EventFilter): Promise<void> {
    const sql = `insert into event_groups (name, filter, checkpoint) values (?, ?, ?)
      on conflict (name) do update set filter = excluded.filter`;
    return this.file.write(() => void this.file.statement(sql).run(name, JSON.stringify(filter), START_OF_LOG));
  }

  /** Messages to be tried again, oldest first. */
  retrying(name: string): readonly { readonly position: LogPosition; readonly failures: number }[] {
    const sql =
      'select position, failures from event_group_messages where group_name = ? and parked = 0 order by position';
    const rows = this.file.read(() => this.file.statement(sql).all(name)) as [LogPosition, number][];
    return rows.map(([position, failures]) => ({ position, failures }));
  }

  /** Messages above the checkpoint that must not be fetched again, since they are tried again, or parked. */
  troubledAfter(name: string, checkpoint: LogPosition): readonly LogPosition[] {
    const sql = 'select position from event_group_messages where group_name = ? and position > ?';
    const rows = this.file.read(() => this.file.statement(sql).all(name, checkpoint)) as [LogPosition][];
    return rows.map(([position]) => position);
  }

  status(name: string): GroupStatus {
    const sql = `select checkpoint,
        (select count(*) from event_group_messages m where m.group_name = g.name and m.parked = 1)
      from event_groups g where g.name = ?`;
    const row = this.file.read(() => this.file.statement(sql).get(name)) as [LogPosition, number] | undefined;
    if (!row) throw unknownGroup(name);
    return { name, parked: row[1], lastPosition: row[0] };
  }

  /**
   * Null trouble: the message has been handled at last. Both parts are one write, so the checkpoint never runs ahead.
   */
  save(name: string, checkpoint: LogPosition, troubles: ReadonlyMap<LogPosition, Trouble | null>): Promise<void> {
    const advance = 'update event_groups set checkpoint = ? where name = ?';
    const keep = `insert into event_group_messages (group_name, position, failures, parked) values (?, ?, ?, ?)
      on conflict (group_name, position) do update set failures = excluded.failures, parked = excluded.parked`;
    const forget = 'delete from event_group_messages where group_name = ? and position = ?';
    return this.file.write(() => {
      this.file.statement(advance).run(checkpoint, name);
      for (const [position, trouble] of troubles) {
        if (trouble === null) this.file.statement(forget).run(name, position);
        else this.file.statement(keep).run(name, position, trouble.failures, trouble.parked ? 1 : 0);
      }
    });
  }

  /** Positions of parked messages, oldest first. */
  parked(name: string, limit: number): readonly LogPosition[] {
    const sql = `select position from event_group_messages
      where group_name = ? and parked = 1 order by position limit ${limit}`;
    const rows = this.file.read(() => this.file.statement(sql).all(name)) as [LogPosition][];
    return rows.map(([position]) => position);
  }

  /** Answers the number of messages that are tried anew. */
  replayParked(name: string): Promise<number> {
    const sql = 'update event_group_messages set parked = 0, failures = 0 where group_name = ? and parked = 1';
    return this.file.write(() => this.file.statement(sql).run(name).changes);
  }
}

function unknownGroup(name: string): RangeError {
  return new RangeError(`no group named ${name}: ensureGroup makes it`);
}
