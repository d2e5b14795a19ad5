/**
 * The log as plain columns: `select stream, revision, type, data, metadata from events order by position` shows all of
 * it. `position` is the row's own number; nothing is ever deleted, so no number is given twice.
 */
export const EVENT_SCHEMA = `
  create table if not exists events (
    position integer primary key,
    stream text not null,
    revision integer not null,
    type text not null,
    id text not null unique,
    data text not null,
    metadata text not null,
    category text as (substr(stream, instr(stream, '.') + 1, instr(stream, '-') - instr(stream, '.') - 1)),
    unique (stream, revision)
  );

  create trigger if not exists events_never_change before update on events
  begin select raise(abort, 'a recorded event never changes'); end;

  create trigger if not exists events_stay before delete on events
  begin select raise(abort, 'a recorded event is never deleted'); end;

  create table if not exists event_groups (
    name text primary key, filter text not null, checkpoint integer not null
  ) without rowid;

  create table if not exists event_group_messages (
    group_name text not null references event_groups,
    position integer not null,
    failures integer not null,
    parked integer not null,
    primary key (group_name, position)
  ) without rowid;
`;
