import { isLosslessNumber, parse } from 'lossless-json';

const EMPTY_OBJECT = '{}';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The canonical JSON of a body that the body's step has taken: keys sorted by UTF-16 code units, no white space.
 * Numbers keep their spelling, since a parsed number may lose digits. An empty body is read as an empty object.
 */
export function canonicalBody(bytes: Uint8Array): string {
  return bytes.length === 0 ? EMPTY_OBJECT : canonical(parse(utf8.decode(bytes)));
}

function canonical(value: unknown): string {
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
