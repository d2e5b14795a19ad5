import { parse } from 'lossless-json';
import { refuse } from '../../vocabulary/errors';

export type JsonBody = Readonly<Record<string, unknown>>;

const DEPTH_LIMIT = 16;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
/** A literal without its own end ends with the text, so that no other literal is looked for behind it. */
const STRING_LITERAL = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/g;
const LONE_SURROGATE = /\p{Surrogate}/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The object in the bytes. An integer that is written as such and is exact is a number, and a greater one is infinite.
 * Any other number (`2500.0`, `25e2`) is NaN. No rule accepts an infinite number or NaN. Throws Refusal
 * invalid_json, invalid_body or parameter_invalid.
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody {
  const text = decode(bytes);
  const value = parseSyntax(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('invalid_body');
  const members = countMembers(value, '', 1);
  // Outside strings a colon stands in every member and nowhere else. Parsing leaves one member of a repeated key.
  const written = text.replace(STRING_LITERAL, '').split(':').length - 1;
  if (members !== written) throw refuse('invalid_json', { message: 'An object has the same key twice.' });
  return parse(text, null, { parseNumber }) as JsonBody;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw refuse('invalid_json', { cause, message: 'The body is not UTF-8.' });
  }
}

function parseSyntax(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse('invalid_json', { cause });
  }
}

/** Also refuses members that could harm later users of the value. */
function countMembers(value: unknown, path: string, depth: number): number {
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) throw invalid(path, 'A string is not valid Unicode.');
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_LIMIT) throw invalid(path, `The body is nested deeper than ${DEPTH_LIMIT} levels.`);
  let members = 0;
  if (Array.isArray(value)) {
    value.forEach((item, index) => (members += countMembers(item, `${path}[${index}]`, depth + 1)));
    return members;
  }
  for (const [key, member] of Object.entries(value)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (key in Object.prototype || key === 'prototype') throw invalid(name, `The key ${key} is not accepted.`);
    if (LONE_SURROGATE.test(key)) throw invalid(path, 'A key is not valid Unicode.');
    members += 1 + countMembers(member, name, depth + 1);
  }
  return members;
}

function invalid(path: string, message: string) {
  return refuse('parameter_invalid', { message, ...(path !== '' && { param: path }) });
}

function parseNumber(written: string): number {
  if (!INTEGER.test(written)) return NaN;
  const value = Number(written);
  if (Number.isSafeInteger(value)) return value;
  return value > 0 ? Infinity : -Infinity;
}
