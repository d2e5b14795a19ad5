import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoBase64URL,
  parseAuthenticatorData,
  toHash,
} from '@simplewebauthn/server/helpers';
import {
  PASSKEY_ALGORITHMS,
  type AssertionAnswer,
  type Asserted,
  type AttestationAnswer,
  type Attested,
  type ExpectedCeremony,
  type PasskeyRejection,
  type WebAuthn,
} from '../../kernel/ports/web-authn';

/** The label of the algorithm in a key (RFC 9052, section 7.1). */
const COSE_ALGORITHM = 3;
const ALGORITHMS = [...PASSKEY_ALGORITHMS];

type Parsed = ReturnType<typeof parseAuthenticatorData>;

/**
 * @simplewebauthn/server as the port. Its refusals are sentences alone, so the checks that have a reason of ours stand
 * before it.
 */
export class SimpleWebAuthn implements WebAuthn {
  async attest({ id, ...response }: AttestationAnswer, expected: ExpectedCeremony): Promise<Attested> {
    try {
      const object = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
      const data = parseAuthenticatorData(object.get('authData'));
      const reason = (await faultOf(data, expected)) ?? attestationFault(object, data);
      if (reason !== null) return { outcome: 'rejected', reason };
      const verified = await verifyRegistrationResponse({
        response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
        expectedChallenge: expected.challenge,
        expectedOrigin: expected.origin,
        expectedRPID: expected.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified.verified) return { outcome: 'rejected', reason: 'signature_invalid' };
      const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
      return { outcome: 'verified', credentialId, publicKey: isoBase64URL.fromBuffer(publicKey), counter };
    } catch {
      return { outcome: 'malformed' };
    }
  }

  async assert(
    { id, ...response }: AssertionAnswer,
    expected: ExpectedCeremony,
    publicKey: string,
  ): Promise<Asserted> {
    try {
      const data = parseAuthenticatorData(isoBase64URL.toBuffer(response.authenticatorData));
      const reason = await faultOf(data, expected);
      if (reason !== null) return { outcome: 'rejected', reason };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
        expectedChallenge: expected.challenge,
        expectedOrigin: expected.origin,
        expectedRPID: expected.rpId,
        requireUserVerification: true,
        // The library would refuse a lower counter before it has looked at the signature.
        credential: { id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
      });
      if (!verified) return { outcome: 'rejected', reason: 'signature_invalid' };
      return { outcome: 'verified', counter: authenticationInfo.newCounter };
    } catch {
      return { outcome: 'malformed' };
    }
  }
}

async function faultOf({ rpIdHash, flags }: Parsed, { rpId }: ExpectedCeremony): Promise<PasskeyRejection | null> {
  const expected = await toHash(new TextEncoder().encode(rpId));
  if (Buffer.compare(rpIdHash, expected) !== 0) return 'rp_id_mismatch';
  if (!flags.up) return 'user_not_present';
  return flags.uv ? null : 'user_not_verified';
}

/**
 * No attestation is asked for. One with certificates is refused unread, since the library would fetch lists of revoked
 * certificates from addresses that the certificates name.
 */
function attestationFault(
  object: ReturnType<typeof decodeAttestationObject>,
  { credentialPublicKey }: Parsed,
): PasskeyRejection | null {
  const format = object.get('fmt');
  const isPlain = format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  if (!isPlain) return 'unsupported_attestation';
  const key = credentialPublicKey && (decodeCredentialPublicKey(credentialPublicKey) as ReadonlyMap<number, unknown>);
  return ALGORITHMS.includes(key?.get(COSE_ALGORITHM) as number) ? null : 'unsupported_algorithm';
}
