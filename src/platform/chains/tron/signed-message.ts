import { concat, keccak256, N, recoverAddress, toUtf8Bytes } from 'ethers';
import { tronTwin } from './tron-address';

const PREFIX = '\x19TRON Signed Message:\n';
/**
 * 65 bytes: r, s and v. The last one, v, is 27 or 28, or 0 or 1 as hardware wallets write it. Some wallets leave out
 * 0x.
 */
const SIGNATURE_PATTERN = /^(?:0x)?([0-9a-fA-F]{64}([0-9a-fA-F]{64})(?:00|01|1[bB]|1[cC]))$/;
/** A signature whose s is in the upper half is a second one for the same message, made without the key. */
const HIGHEST_S = N / 2n;

/**
 * The base58check address whose key signed `message` as TRON wallets do since signMessageV2; null where the text is no
 * signature. Another text or key, or the older way of signing, recovers another address without any error: the caller
 * compares.
 */
export function recoverTronSigner(message: string, signature: string): string | null {
  const [, digits, s] = SIGNATURE_PATTERN.exec(signature) ?? [];
  if (digits === undefined || s === undefined || BigInt(`0x${s}`) > HIGHEST_S) return null;
  try {
    return tronTwin(recoverAddress(hashTronMessage(message), `0x${digits}`));
  } catch {
    return null;
  }
}

/** The hashed length is that of the bytes, in decimal. */
function hashTronMessage(message: string): string {
  const bytes = toUtf8Bytes(message);
  return keccak256(concat([toUtf8Bytes(`${PREFIX}${bytes.length}`), bytes]));
}
