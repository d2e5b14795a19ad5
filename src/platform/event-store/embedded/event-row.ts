import { parseStreamName, type EventMetadata, type NewEvent, type RecordedEvent } from '../../../kernel/event';
import type { JsonObject } from '../../../vocabulary/json';
import type { LogPosition } from '../../../kernel/log-position';
import { assertJson } from '../../../kernel/strict-json';

const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** type, id, data, metadata */
export type NewRow = readonly [string, string, string, string];
/** position, stream, revision, type, id, data, metadata */
export type EventRow = readonly [LogPosition, string, number, ...NewRow];

/** Throws TypeError on a value that JSON cannot hold, an id that is no UUID, or a name that is no stream's. */
export function rowOf(stream: string, { type, id, data, metadata }: NewEvent): NewRow {
  const at = `${stream}: ${type}`;
  parseStreamName(stream);
  if (!UUID_PATTERN.test(id)) throw new TypeError(`${at}: the id is not a lower-case UUID`);
  assertJson(data, `${at}: data`);
  assertJson(metadata, `${at}: metadata`);
  return [type, id, JSON.stringify(data), JSON.stringify(metadata)];
}

export function recordedEvent([position, stream, revision, type, id, data, metadata]: EventRow): RecordedEvent {
  return {
    id,
    type,
    stream,
    revision,
    position,
    data: JSON.parse(data) as JsonObject,
    metadata: JSON.parse(metadata) as EventMetadata,
  };
}

/**
 * The row `rows` behind a position, which may not exist yet. This file numbers its events one by one, and only this
 * file knows that.
 */
export function rowAfter(position: LogPosition, rows: number): LogPosition {
  const row: number = position;
  return (row + rows) as LogPosition;
}
