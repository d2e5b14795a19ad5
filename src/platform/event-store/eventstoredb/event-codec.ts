import type { Position, ResolvedEvent } from '@eventstore/db-client';
import type { EventMetadata, NewEvent, RecordedEvent } from '../../../kernel/event';
import { parseStreamName } from '../../../kernel/event';
import type { JsonObject } from '../../../vocabulary/json';
import type { LogPosition } from '../../../kernel/log-position';
import { assertJson, isPlainObject } from '../../../kernel/strict-json';

/** The server's own limit for one append, unless it is configured otherwise. */
const APPEND_BYTES_LIMIT = 1_024 * 1_024;

const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An event in the form for the server: its data and metadata are JSON. */
export type EncodedEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
};

/**
 * A log keeps its events for ever, so only proven JSON reaches it. Throws TypeError on a value that JSON cannot hold
 * and RangeError on too many bytes.
 */
export function encodeEvents(stream: string, events: readonly NewEvent[]): EncodedEvent[] {
  let bytes = 0;
  const encoded = events.map(event => {
    const { id, type } = event;
    const at = `${stream}: ${type}`;
    if (!UUID_PATTERN.test(id)) throw new TypeError(`${at}: the id is not a lower-case UUID`);
    assertJson(event.data, `${at}: data`);
    assertJson(event.metadata, `${at}: metadata`);
    const data = Buffer.from(JSON.stringify(event.data));
    const metadata = Buffer.from(JSON.stringify(event.metadata));
    bytes += data.length + metadata.length;
    return { id, type, data, metadata };
  });
  if (bytes > APPEND_BYTES_LIMIT) {
    throw new RangeError(`${stream}: ${bytes} bytes in one append, ${APPEND_BYTES_LIMIT} at most`);
  }
  return encoded;
}

/** The event in the log, with bigints made numbers. Throws a TypeError or RangeError that names a foreign event. */
export function decodeEvent(resolved: ResolvedEvent): RecordedEvent {
  const { event } = resolved;
  if (!event) throw new TypeError('the event store gave a link to an event that is no longer there');
  const { id, type, streamId: stream } = event;
  const at = `${stream}@${event.revision}`;
  parseStreamName(stream);
  if (!event.isJson || !isObject(event.data)) throw new TypeError(`${at}: the data is no JSON object`);
  if (!isObject(event.metadata)) throw new TypeError(`${at}: the metadata is no JSON object`);
  return {
    id,
    type,
    stream,
    revision: safeInteger(event.revision, `${at}: revision`),
    position: logPosition(event.position?.commit ?? resolved.commitPosition, `${at}: position`),
    data: event.data as JsonObject,
    metadata: event.metadata as unknown as EventMetadata,
  };
}

export function safeInteger(value: bigint | undefined, what: string): number {
  if (value !== undefined && value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new RangeError(`${what} is not a whole number below 2^53: ${value}`);
}

/** Throws RangeError on a number that cannot be an event's position. */
export function logPosition(commit: bigint | undefined, what: string): LogPosition {
  return safeInteger(commit, what) as LogPosition;
}

/**
 * The server's position has two halves, which differ only for an event of a server's transaction. The log holds no such
 * event.
 */
export function serverPosition(position: LogPosition): Position {
  return { commit: BigInt(position), prepare: BigInt(position) };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && isPlainObject(value);
}
