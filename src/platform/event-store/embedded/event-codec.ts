import { parseStreamName, type NewEvent, type RecordedEvent } from '../../../kernel/event';
import { invariant } from '../../../kernel/invariant';
import type { JsonObject, JsonValue } from '../../../kernel/json';
import type { LogPosition } from '../../../kernel/log-position';
import { assertJson } from '../../../kernel/strict-json';
import { decodeMetadata, encodeMetadata } from './metadata-codec';
import { WRITTEN_OUT, type Vocabulary } from './vocabulary';

const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LIST = 0;

export type EncodedEvent = {
  readonly kind: number;
  readonly id: Uint8Array;
  /** The event's `prev_hash` and `hash`, 32 bytes each. */
  readonly hashes: Uint8Array | null;
  readonly body: string;
};

/** position, stream, revision, kind, id, hashes, body */
export type EventRow = readonly [LogPosition, string, number, number, Uint8Array, Uint8Array | null, string];

/**
 * An event's row. The body is a JSON list of the context, the data and the rest of the metadata, in which an object is `[shape, ...values]`,
 * a list `[0, ...items]`, and an object whose keys are no shape `[-1, key, value, ...]`.
 */
export class EventCodec {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** Null when the vocabulary must learn first. Throws TypeError on what JSON cannot hold or an id that is no UUID. */
  encode(stream: string, event: NewEvent): EncodedEvent | null {
    const at = `${stream}: ${event.type}`;
    if (!UUID_PATTERN.test(event.id)) throw new TypeError(`${at}: the id is not a lower-case UUID`);
    assertJson(event.data, `${at}: data`);
    assertJson(event.metadata, `${at}: metadata`);
    const { universe, category } = parseStreamName(stream);
    const kind = this.vocabulary.kindId(category, event.type);
    const metadata = encodeMetadata(this.vocabulary, universe, event.metadata);
    const data = this.encodeValue(event.data);
    const rest = metadata && this.encodeValue(metadata.rest);
    if (kind === null || metadata === null || rest === undefined || data === undefined) return null;
    const id = Buffer.from(event.id.replaceAll('-', ''), 'hex');
    return { kind, id, hashes: metadata.hashes, body: JSON.stringify([metadata.context, data, rest]) };
  }

  decode([position, stream, revision, kind, id, hashes, body]: EventRow): RecordedEvent {
    const [context, data, rest] = JSON.parse(body) as [number, JsonValue, JsonValue];
    const encoded = { context, rest: this.decodeValue(rest) as JsonObject, hashes };
    return {
      id: formatUuid(id),
      type: this.vocabulary.typeOf(kind),
      stream,
      revision,
      position,
      data: this.decodeValue(data) as JsonObject,
      metadata: decodeMetadata(this.vocabulary, parseStreamName(stream).universe, encoded),
    };
  }

  /** Undefined when a shape in it must be learnt first; it goes on, so that all of them are learnt at once. */
  private encodeValue(value: JsonValue): JsonValue | undefined {
    if (value === null || typeof value !== 'object') return value;
    const encoded: (JsonValue | undefined)[] = [];
    if (Array.isArray(value)) {
      encoded.push(LIST);
      for (const item of value as readonly JsonValue[]) encoded.push(this.encodeValue(item));
    } else {
      const object = value as JsonObject;
      const keys = Object.keys(object);
      const shape = this.vocabulary.shapeId(keys);
      encoded.push(shape ?? undefined);
      for (const key of keys) {
        if (shape === WRITTEN_OUT) encoded.push(key);
        encoded.push(this.encodeValue(object[key] as JsonValue));
      }
    }
    return encoded.includes(undefined) ? undefined : (encoded as JsonValue[]);
  }

  private decodeValue(value: JsonValue): JsonValue {
    if (!Array.isArray(value)) return value;
    const items = value as readonly JsonValue[];
    const tag = items[0] as number;
    if (tag === LIST) return items.slice(1).map(item => this.decodeValue(item));
    if (tag === WRITTEN_OUT) return this.decodeWrittenOut(items);
    const keys = this.vocabulary.keysOf(tag);
    invariant(keys.length === items.length - 1, `an event has ${items.length - 1} values for shape ${tag}`);
    const object: Record<string, JsonValue> = {};
    for (let index = 0; index < keys.length; index++) {
      object[keys[index] as string] = this.decodeValue(items[index + 1] as JsonValue);
    }
    return object;
  }

  private decodeWrittenOut(items: readonly JsonValue[]): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (let index = 1; index < items.length; index += 2) {
      entries.push([items[index] as string, this.decodeValue(items[index + 1] as JsonValue)]);
    }
    return Object.fromEntries(entries);
  }
}

export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
