import type { AuthenticatedKey } from '../../vocabulary/authenticated-key';
import type { Mode } from '../../vocabulary/modes';

/** Finds the owner of a key's text. A class, so that it names itself to injection. */
export abstract class KeyAuthentication {
  /** Throws Refusal invalid_api_key, api_key_revoked, api_key_expired or account_disabled. */
  abstract authenticate(keyText: string, asksMethods: boolean): Promise<AuthenticatedKey>;
}

export type MfaAttempt = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly commandId: string;
  /** The action that a proof must be bound to, such as `wallet.create`. */
  readonly action: string;
  /** The headers `Mfa-Code`, `Mfa-Proof` and `Mfa-User`. */
  readonly code: string | null;
  readonly proof: string | null;
  readonly user: string | null;
};

export abstract class MfaVerification {
  /** Throws Refusal mfa_required, mfa_proof_invalid, mfa_proof_stale, mfa_reverification_required or rate_limit. */
  abstract verify(attempt: MfaAttempt): Promise<void>;
}
