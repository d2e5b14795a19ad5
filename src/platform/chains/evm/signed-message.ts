import { N, verifyMessage } from 'ethers';

/** 65 bytes: r, s and v, where v is 27 or 28, or 0 or 1 as hardware wallets write it. ethers alone takes any v. */
const SIGNATURE_PATTERN = /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})(?:00|01|1[bB]|1[cC])$/;
/** A signature whose s is in the upper half is a second one for the same message, made without the key. */
const HIGHEST_S = N / 2n;

/**
 * The EIP-55 address whose key signed `message` (EIP-191 personal_sign); null where the text is no signature. Another
 * text or key recovers another address without any error: the caller compares.
 */
export function recoverSigner(message: string, signature: string): string | null {
  const s = SIGNATURE_PATTERN.exec(signature)?.[1];
  if (s === undefined || BigInt(`0x${s}`) > HIGHEST_S) return null;
  try {
    return verifyMessage(message, signature);
  } catch {
    return null;
  }
}
