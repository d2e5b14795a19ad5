import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../vocabulary/modes';
import { invariant } from '../../kernel/invariant';
import type { KeyKind } from '../../vocabulary/key-kinds';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 256 random bits, and the base62 characters that hold them. */
export const KEY_BYTES = 32;
const BODY_LENGTH = 43;
/** Base62 characters that hold the 32 bits of a CRC. */
const CHECKSUM_LENGTH = 6;

/** The pattern has the lengths BODY_LENGTH and CHECKSUM_LENGTH. */
const KEY_PATTERN = /^((sk|pk|rk)_(test|live)_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

type ParsedKey = { readonly kind: KeyKind; readonly mode: Mode };

/** `sk_test_`, 43 characters of randomness and 6 of CRC-32 over all before them. */
export function keyText(kind: KeyKind, mode: Mode, random: Uint8Array): string {
  invariant(random.length === KEY_BYTES, `a key takes ${KEY_BYTES} random bytes`);
  const unchecked = `${kind}_${mode}_${base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), BODY_LENGTH)}`;
  return unchecked + checksum(unchecked);
}

/**
 * Kind and mode of a text that has the shape of a key and the right checksum; null for any other text. No key is looked
 * up.
 */
export function parseApiKey(text: string): ParsedKey | null {
  const match = KEY_PATTERN.exec(text);
  if (!match || checksum(match[1] as string) !== match[4]) return null;
  return { kind: match[2] as KeyKind, mode: match[3] as Mode };
}

export function keyHash(text: string): string {
  return hash('sha256', text);
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text;
  return text;
}
