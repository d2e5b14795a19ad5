import { decodeBase58, encodeBase58, getAddress, sha256 } from 'ethers';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import { familyOf, type NetworkId } from '../../vocabulary/networks';

const EVM_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const TRON_BASE58_PATTERN = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const TRON_HEX_PATTERN = /^41[0-9a-fA-F]{40}$/;
const ZERO_ADDRESS = '0'.repeat(40);
/** One byte of prefix and 20 of address, as hex; base58check adds 4 bytes of checksum. */
const TRON_HEX_LENGTH = 42;
const CHECKSUM_HEX_LENGTH = 8;

/**
 * The address in the form that is stored: EIP-55, or TRON's base58check. Throws Refusal invalid_address naming
 * `address`.
 */
export function canonicalAddress(network: NetworkId, text: string): string {
  const family = familyOf(network);
  switch (family) {
    case 'evm':
      return evmAddress(text);
    case 'tron':
      return tronAddress(text);
    default:
      return unreachable(family);
  }
}

/** The 20 bytes of a canonical address as hex. One key has the same bytes on every network. */
export function addressHex(network: NetworkId, canonical: string): string {
  if (familyOf(network) === 'evm') return canonical.slice(2).toLowerCase();
  return hexOfBase58(canonical)?.slice(2) ?? '';
}

/** The pattern is checked first, since ethers by itself takes ICAP text and hex without its prefix. */
function evmAddress(text: string): string {
  if (!EVM_PATTERN.test(text)) throw invalid();
  let address: string;
  try {
    address = getAddress(text);
  } catch (cause) {
    throw invalid(cause);
  }
  if (address.slice(2) === ZERO_ADDRESS) throw invalid();
  return address;
}

function tronAddress(text: string): string {
  const hex = TRON_HEX_PATTERN.test(text) ? text.toLowerCase() : hexOfBase58(text);
  if (hex === null || hex.slice(2) === ZERO_ADDRESS) throw invalid();
  return encodeBase58(`0x${hex}${tronChecksum(hex)}`);
}

/** Prefix and address as hex; null where shape, prefix or checksum is wrong. */
function hexOfBase58(text: string): string | null {
  if (!TRON_BASE58_PATTERN.test(text)) return null;
  const bytes = decodeBase58(text).toString(16);
  const hex = bytes.slice(0, TRON_HEX_LENGTH);
  const exact = bytes.length === TRON_HEX_LENGTH + CHECKSUM_HEX_LENGTH && TRON_HEX_PATTERN.test(hex);
  return exact && bytes.slice(TRON_HEX_LENGTH) === tronChecksum(hex) ? hex : null;
}

function tronChecksum(hex: string): string {
  return sha256(sha256(`0x${hex}`)).slice(2, 2 + CHECKSUM_HEX_LENGTH);
}

function invalid(cause?: unknown): Error {
  return refuse('invalid_address', { param: 'address', cause });
}
