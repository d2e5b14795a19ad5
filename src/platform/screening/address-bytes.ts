import { decodeBase58, getAddress, sha256 } from 'ethers';
import { refuse } from '../../vocabulary/errors';
import { familyOf, type NetworkId } from '../../vocabulary/networks';

const EVM_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const TRON_PATTERN = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
/** Prefix 41, 20 bytes of address, 4 bytes of checksum. */
const TRON_HEX_PATTERN = /^(41([0-9a-f]{40}))([0-9a-f]{8})$/;
const CHECKSUM_HEX_LENGTH = 8;

/**
 * An address's 20 bytes as lower-case hex. One key has the same 20 bytes on every network, so a listing on one network
 * is a listing on all. Takes EIP-55, lower- or upper-case hex on EVM networks, and base58check on TRON. Throws Refusal
 * invalid_sanctions_address.
 */
export function addressBytes(network: NetworkId, address: string): string {
  const bytes = familyOf(network) === 'tron' ? tronBytes(address) : evmBytes(address);
  if (bytes === null) throw refuse('invalid_sanctions_address', { param: 'address' });
  return bytes;
}

function evmBytes(address: string): string | null {
  if (!EVM_PATTERN.test(address)) return null;
  try {
    return getAddress(address).slice(2).toLowerCase();
  } catch {
    return null;
  }
}

function tronBytes(address: string): string | null {
  if (!TRON_PATTERN.test(address)) return null;
  const [, payload = '', bytes = '', checksum] = TRON_HEX_PATTERN.exec(decodeBase58(address).toString(16)) ?? [];
  const expected = sha256(sha256(`0x${payload}`)).slice(2, 2 + CHECKSUM_HEX_LENGTH);
  return checksum === expected ? bytes : null;
}
