import { getAddress, ZeroAddress } from 'ethers';

/** ethers alone also takes ICAP codes, and addresses without 0x. */
const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;

/**
 * The EIP-55 form. Null for another shape, for a wrong mixed-case checksum, and for the zero address, whose key nobody
 * has.
 */
export function evmAddress(text: string): string | null {
  if (!ADDRESS_PATTERN.test(text)) return null;
  try {
    const address = getAddress(text);
    return address === ZeroAddress ? null : address;
  } catch {
    return null;
  }
}
