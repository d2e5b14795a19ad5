/**
 * What repeats is written once: stream names, (category, type) pairs, the key lists of objects and who acted for whom stand in dictionaries, and an event names
 * them by number. `position` is the row's own number; nothing is ever deleted, so it is never given twice.
 */
export const EVENT_SCHEMA = `
  create table if not exists streams (id integer primary key, name text not null unique);

  create table if not exists kinds (
    id integer primary key,
    text text not null unique,
    category text as (json_extract(text, '$[0]')),
    type text as (json_extract(text, '$[1]'))
  );

  create table if not exists shapes (id integer primary key, text text not null unique);

  create table if not exists contexts (id integer primary key, text text not null unique);

  create table if not exists events (
    position integer primary key,
    stream integer not null references streams,
    revision integer not null,
    kind integer not null references kinds,
    id blob not null unique,
    hashes blob,
    body text not null,
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
