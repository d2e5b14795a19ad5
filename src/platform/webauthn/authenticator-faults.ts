import {
  cose,
  decodeCredentialPublicKey,
  toHash,
  type decodeAttestationObject,
  type parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import { PASSKEY_ALGORITHMS, type ExpectedCeremony, type PasskeyRejection } from '../../kernel/ports/web-authn';

type AuthenticatorData = ReturnType<typeof parseAuthenticatorData>;

/** The check of party and person that the authenticator's data fail; null for none. */
export async function authenticatorFault(
  { rpIdHash, flags }: AuthenticatorData,
  { rpId }: ExpectedCeremony,
): Promise<PasskeyRejection | null> {
  const expected = await toHash(new TextEncoder().encode(rpId));
  if (Buffer.compare(rpIdHash, expected) !== 0) return 'rp_id_mismatch';
  if (!flags.up) return 'user_not_present';
  return flags.uv ? null : 'user_not_verified';
}

/**
 * No attestation is asked for. One with certificates is refused unread, since the library would fetch lists of revoked
 * certificates from addresses that the certificates name.
 */
export function attestationFault(
  object: ReturnType<typeof decodeAttestationObject>,
  { credentialPublicKey }: AuthenticatorData,
): PasskeyRejection | null {
  const format = object.get('fmt');
  const isPlain = format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  if (!isPlain) return 'unsupported_attestation';
  const algorithm = credentialPublicKey && decodeCredentialPublicKey(credentialPublicKey).get(cose.COSEKEYS.alg);
  return algorithm && PASSKEY_ALGORITHMS.includes(algorithm) ? null : 'unsupported_algorithm';
}
