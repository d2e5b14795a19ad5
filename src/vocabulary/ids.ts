import { createHmac, hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_BYTES = 16;
const ID_LENGTH = 26;
const CHARACTER_BITS = 5;

export type IdPrefix =
  | 'pi' | 'pev' | 'wal' | 'we' | 'evt' | 'req' | 'mch' | 'key' | 'route' | 'usr' | 'da' | 'tr' | 'tc' | 'ws' | 'hold'
  | 'plink' | 'inv' | 'fee' | 'finv' | 'rec' | 'ses' | 'psk' | 'kyb' | 'kdoc' | 'ks' | 'adm' | 'apr'; // prettier-ignore

/** 26 lower-case Crockford base32 characters for 128 bits, most significant first, so ids sort as their bytes do. */
export function crockford(bytes: Uint8Array): string {
  let text = '';
  let rest = 0;
  // 26 characters hold 130 bits: the first one begins with two that are always 0.
  let restBits = ID_LENGTH * CHARACTER_BITS - ID_BYTES * 8;
  for (const byte of bytes.subarray(0, ID_BYTES)) {
    rest = (rest << 8) | byte;
    restBits += 8;
    while (restBits >= CHARACTER_BITS) {
      restBits -= CHARACTER_BITS;
      text += CROCKFORD[rest >> restBits];
      rest &= (1 << restBits) - 1;
    }
  }
  return text;
}

/**
 * 48 bits of milliseconds and 80 bits that must be random or keyed: nobody can guess an id, and ids sort by creation.
 */
export function timedId(prefix: IdPrefix, timeMs: number, eightyBits: Uint8Array): string {
  const bytes = new Uint8Array(ID_BYTES);
  Buffer.from(bytes.buffer).writeUIntBE(timeMs, 0, 6);
  bytes.set(eightyBits.subarray(0, 10), 6);
  return `${prefix}_${crockford(bytes)}`;
}

/** The characters of an id that tell its time: 48 bits, after the two that begin an id. */
const TIME_CHARACTERS = 10;

/**
 * The one id that follows from another id and a purpose. The id sorts beside the other one, and its 80 bits are keyed.
 */
export function successorId(prefix: IdPrefix, id: string, key: Uint8Array, purpose: string): string {
  const own = timedId(prefix, 0, createHmac('sha256', key).update(`${id}|${purpose}`).digest());
  const start = prefix.length + 1;
  return `${prefix}_${id.slice(start, start + TIME_CHARACTERS)}${own.slice(start + TIME_CHARACTERS)}`;
}

/** The id of the object that a command creates: a re-run of the same command after a crash finds its own work. */
export function commandId(prefix: IdPrefix, timeMs: number, key: Uint8Array, command: string): string {
  return timedId(prefix, timeMs, createHmac('sha256', key).update(`${command}|${prefix}`).digest());
}

/**
 * An id that follows from facts alone, such as a wallet's from (mode, merchant, network, address): 128 bits of SHA-256.
 */
export function derivedId(prefix: IdPrefix, facts: readonly JsonValue[]): string {
  return `${prefix}_${crockford(hash('sha256', canonicalJson(facts), 'buffer'))}`;
}

/** The id that follows from a recorded event's own id. Such ids sort by the events' times. */
export function recordedId(prefix: IdPrefix, timeMs: number, eventId: string): string {
  return timedId(prefix, timeMs, hash('sha256', eventId, 'buffer'));
}

const ID_PATTERN = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/;

export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && isAnyId(text);
}

/** Whether the text has the form of an id, whatever its prefix. */
export function isAnyId(text: string): boolean {
  return ID_PATTERN.test(text);
}

const EVENT_NAMESPACE = Buffer.from('b8e3c1d45f0a4c7e9a61d02f7c3ab519', 'hex');

/** UUID version 5 (RFC 9562): the same facts give the same id, which is what makes a repeated append a no-op. */
export function uuidV5(name: string): string {
  return uuid(5, nameHash(name));
}

/**
 * UUID version 8 (RFC 9562): 48 bits of milliseconds, then 74 bits of the facts' hash. As in version 5, the same facts
 * give the same id. Ids of one time stand together, so an index of them writes few of its pages.
 */
export function uuidV8(timeMs: number, name: string): string {
  const bytes = nameHash(name);
  bytes.writeUIntBE(timeMs, 0, 6);
  return uuid(8, bytes);
}

function nameHash(name: string): Buffer {
  return hash('sha1', Buffer.concat([EVENT_NAMESPACE, Buffer.from(name)]), 'buffer').subarray(0, ID_BYTES);
}

function uuid(version: number, bytes: Buffer): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
