import fc from 'fast-check';

/** A JSON text, which need not be one that JSON.stringify would write. */
export type JsonText = string;

const DEEP = 40;
const LONG = 5_000;

const NUMBERS: readonly JsonText[] = [
  '-1', '0', '-0', '1.5', '1e3', '1E400', '-1e-400', '9007199254740993', '123456789012345678901234567890', '0.1', '1.0', '2147483648',
  '18446744073709551616',
]; // prettier-ignore

const TEXTS: readonly string[] = [
  '', ' ', '0', '-1', '1.5', 'null', 'undefined', 'NaN', '[object Object]', '__proto__', 'constructor', '\u0000', 'a\u0000b', '\r\n',
  'x\r\nX-Injected: 1', '\ufeff', '\u202e', '\u200b', 'ÅÅ', '💸'.repeat(9), '../../etc/passwd', '%00', '%2e%2e', "' or 1=1 --", '{"$ne":null}',
  '$where', '<script>', '${jndi:x}', '{{7*7}}', 'é'.normalize('NFD'), 'İ'.toLowerCase(), '٣', '１２', '²', '\u2028', 'x'.repeat(LONG), '9'.repeat(400),
]; // prettier-ignore

const OTHERS: readonly JsonText[] = [
  'null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1}', '{"length":-1}', '{"$gt":""}', '{"a":1,"a":2}', '"\\ud800"', '"\\udc00x"', '{"\\ud800":1}', '{"":""}',
  '{"isLosslessNumber":true,"value":"1"}', '{"type":"Buffer","data":[1]}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`, `[${'0,'.repeat(LONG)}0]`,
]; // prettier-ignore

const SURROGATES = { from: 0xd800, count: 0x800 } as const;

/**
 * Each character, which need not be assigned. The unit of fast-check that is named `binary` gives the same ones, and
 * first makes a map of all of them, which takes a second.
 */
export const character = fc.nat(0x10ffff - SURROGATES.count).map(
  place => String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count),
  value => {
    const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (code === undefined || value !== String.fromCodePoint(code)) throw new TypeError('this is no character');
    if (code < SURROGATES.from) return code;
    if (code < SURROGATES.from + SURROGATES.count) throw new TypeError('this is half of a character');
    return code - SURROGATES.count;
  },
);

/**
 * Values that no field asks for: of another type, beyond every bound, or dangerous to a program that copies or
 * concatenates them.
 */
export const hostileValue: fc.Arbitrary<JsonText> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS).map(text => JSON.stringify(text)) },
  { weight: 4, arbitrary: fc.constantFrom(...OTHERS) },
  { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 30 }).map(text => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** Keys of bodies, queries and metadata that may have a meaning for another program. */
export const hostileKey = fc.constantFrom(
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '', ' ', 'a.b', 'a[0]', '$where', 'id',
  'object', 'mode', 'status', 'merchant_id', 'currency_decimals', 'is_admin', '\u0000', 'é', 'x'.repeat(300),
); // prettier-ignore

export const hostileText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: character, maxLength: 40 }));
