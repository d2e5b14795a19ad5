import { invariant } from '../../kernel/invariant';

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
const MAX_VARINT_BYTES = 8;
/** The messages that are read here have less than a tenth of it. */
const MAX_FIELDS = 64;

/** One field of a protobuf message: a whole number, or bytes (which nested messages and strings are too). */
export type Field = { readonly number: number; readonly value: number | Buffer };

/** The bytes are no protobuf message, or one that this reader does not know. */
export class ProtobufFault extends Error {}

/** Writes the fields in the order given; as proto3 does, zero and empty values are left out. */
export function encodeMessage(fields: readonly Field[]): Buffer {
  const parts = fields.flatMap(({ number, value }) => {
    if (typeof value === 'number') return value === 0 ? [] : [varint(number * 8 + WIRE_VARINT), varint(value)];
    return value.length === 0 ? [] : [varint(number * 8 + WIRE_BYTES), varint(value.length), value];
  });
  return Buffer.concat(parts);
}

/** Throws ProtobufFault. */
export function decodeMessage(bytes: Buffer): readonly Field[] {
  const fields: Field[] = [];
  for (let offset = 0; offset < bytes.length;) {
    if (fields.length >= MAX_FIELDS) throw new ProtobufFault(`more than ${MAX_FIELDS} fields`);
    const key = readVarint(bytes, offset);
    const value = readVarint(bytes, key.end);
    const number = Math.floor(key.value / 8);
    const wire = key.value % 8;
    if (wire === WIRE_VARINT) {
      fields.push({ number, value: value.value });
      offset = value.end;
    } else if (wire === WIRE_BYTES) {
      offset = value.end + value.value;
      if (offset > bytes.length) throw new ProtobufFault('a field is longer than its message');
      fields.push({ number, value: bytes.subarray(value.end, offset) });
    } else throw new ProtobufFault(`wire type ${wire}`);
  }
  return fields;
}

function varint(value: number): Buffer {
  invariant(Number.isSafeInteger(value) && value >= 0, `${value} is no varint`);
  const bytes: number[] = [];
  for (let rest = value; bytes.length < MAX_VARINT_BYTES; rest = Math.floor(rest / 128)) {
    const more = rest >= 128;
    bytes.push((rest % 128) + (more ? 128 : 0));
    if (!more) break;
  }
  return Buffer.from(bytes);
}

function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new ProtobufFault('a number breaks off');
    value += (byte % 128) * 128 ** index;
    if (byte >= 128) continue;
    if (!Number.isSafeInteger(value)) break;
    return { value, end: start + index + 1 };
  }
  throw new ProtobufFault('a number is above 2^53');
}
