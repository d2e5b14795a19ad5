import { decodeBase58, encodeBase58, sha256 } from 'ethers';
import { invariant } from '../../../kernel/invariant';

const BASE58_PATTERN = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX_PATTERN = /^41([0-9a-f]{40})$/i;
const ZERO = '0'.repeat(40);
/** One byte of prefix and 20 of address, as hex; base58check adds 4 bytes of checksum. */
const HEX_LENGTH = 42;
const CHECKSUM_LENGTH = 8;

/**
 * The base58check form. Null for another shape, for a wrong checksum, and for the zero address, whose key nobody has.
 */
export function tronAddress(text: string): string | null {
  const hex = HEX_PATTERN.test(text) ? text.toLowerCase() : hexOfBase58(text);
  return hex === null || hex.slice(2) === ZERO ? null : base58Of(hex);
}

/**
 * The TRON address with the same 20 bytes, which belong to the same key on both networks; `evmAddress` is 0x and 40 hex
 * digits.
 */
export function tronTwin(evmAddress: string): string {
  return base58Of(`41${evmAddress.slice(2).toLowerCase()}`);
}

/** The EVM address with the same 20 bytes, in lower case; null for a text that is no TRON address. */
export function evmTwin(text: string): string | null {
  const base58 = tronAddress(text);
  const hex = base58 === null ? null : hexOfBase58(base58);
  return hex === null ? null : `0x${hex.slice(2)}`;
}

/** The same for a text that is known to be an address. */
export function evmHex(address: string): string {
  const twin = evmTwin(address);
  invariant(twin !== null, `${address} is no TRON address`);
  return twin;
}

function base58Of(hex: string): string {
  return encodeBase58(`0x${hex}${checksum(hex)}`);
}

/** Prefix and address as hex; null where shape, prefix or checksum is wrong. */
function hexOfBase58(text: string): string | null {
  if (!BASE58_PATTERN.test(text)) return null;
  const bytes = decodeBase58(text).toString(16);
  const hex = bytes.slice(0, HEX_LENGTH);
  const isExact = bytes.length === HEX_LENGTH + CHECKSUM_LENGTH && HEX_PATTERN.test(hex);
  return isExact && bytes.slice(HEX_LENGTH) === checksum(hex) ? hex : null;
}

function checksum(hex: string): string {
  return sha256(sha256(`0x${hex}`)).slice(2, 2 + CHECKSUM_LENGTH);
}
