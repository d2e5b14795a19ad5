import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import {
  PASSKEY_ALGORITHMS,
  type AssertionAnswer,
  type Asserted,
  type AttestationAnswer,
  type Attested,
  type ExpectedCeremony,
  type WebAuthn,
} from '../../kernel/ports/web-authn';
import { attestationFault, authenticatorFault } from './authenticator-faults';

/**
 * The port by @simplewebauthn/server. Its refusals are sentences alone, so the checks that have a reason of ours stand
 * before it.
 */
export class SimpleWebAuthn implements WebAuthn {
  async attest({ id, ...response }: AttestationAnswer, expected: ExpectedCeremony): Promise<Attested> {
    try {
      const object = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
      const data = parseAuthenticatorData(object.get('authData'));
      const reason = (await authenticatorFault(data, expected)) ?? attestationFault(object, data);
      if (reason !== null) return { outcome: 'rejected', reason };
      const verified = await verifyRegistrationResponse({
        response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
        expectedChallenge: expected.challenge,
        expectedOrigin: expected.origin,
        expectedRPID: expected.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
      });
      if (!verified.verified) return { outcome: 'rejected', reason: 'signature_invalid' };
      const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
      return { outcome: 'verified', credentialId, publicKey: isoBase64URL.fromBuffer(publicKey), counter };
    } catch {
      return { outcome: 'malformed' };
    }
  }

  async assert({ id, ...response }: AssertionAnswer, expected: ExpectedCeremony, publicKey: string): Promise<Asserted> {
    try {
      const data = parseAuthenticatorData(isoBase64URL.toBuffer(response.authenticatorData));
      const reason = await authenticatorFault(data, expected);
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
