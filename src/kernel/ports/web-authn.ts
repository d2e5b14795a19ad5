/** The check that a passkey has failed. */
export type PasskeyRejection =
  | 'challenge_stale' | 'challenge_mismatch' | 'origin_mismatch' | 'rp_id_mismatch' | 'user_not_present'
  | 'user_not_verified' | 'unsupported_algorithm' | 'unsupported_attestation' | 'signature_invalid'
  | 'counter_regressed' | 'unknown_credential' | 'user_mismatch'; // prettier-ignore

/** COSE algorithms that are taken: EdDSA, ES256 and RS256, which every platform has one of. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

/** The browser's answer; all its bytes are base64url without padding. */
export type AttestationAnswer = {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
};
export type AssertionAnswer = {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
};

/** The facts that an answer must be made for. */
export type ExpectedCeremony = { readonly challenge: string; readonly origin: string; readonly rpId: string };

type Failed = { readonly outcome: 'malformed' } | { readonly outcome: 'rejected'; readonly reason: PasskeyRejection };
export type Attested =
  | {
      readonly outcome: 'verified';
      readonly credentialId: string;
      readonly publicKey: string;
      readonly counter: number;
    }
  | Failed;
export type Asserted = { readonly outcome: 'verified'; readonly counter: number } | Failed;

/** Verifies the answers of authenticators. User verification is always required. Both methods never throw. */
export interface WebAuthn {
  attest(answer: AttestationAnswer, expected: ExpectedCeremony): Promise<Attested>;
  /** `publicKey` as `attest` has answered it. The counter is the caller's to compare. */
  assert(answer: AssertionAnswer, expected: ExpectedCeremony, publicKey: string): Promise<Asserted>;
}
