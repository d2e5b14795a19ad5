import type { ApiVersion } from '../../kernel/api-versions';
import type { Mode } from '../../kernel/event';
import type { Scope } from '../../kernel/scopes';
import type { TokenId } from '../../kernel/tokens';

/** What a request goes by of its account's settings. */
export type AccountSettings = {
  readonly enabledTokens: readonly TokenId[];
  readonly defaultSuccessUrl: string | null;
};

export type AuthenticatedKey = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly kind: 'sk' | 'pk' | 'rk';
  readonly scopes: readonly Scope[];
  /** What the account is pinned to; the newest where it is left out. */
  readonly apiVersion?: ApiVersion;
  /** As of this request; nothing is enabled where they are left out. */
  readonly settings?: AccountSettings;
  /** Milliseconds by the clock of the key's merchant and mode; by the wall's where it is left out. */
  readonly nowMs?: number;
};

/** Tells whose key a text is. A class, so that it names itself to injection. */
export abstract class KeyAuthentication {
  /** Throws Refusal invalid_api_key, api_key_revoked, api_key_expired or account_disabled. */
  abstract authenticate(keyText: string): Promise<AuthenticatedKey>;
}

export type MfaAttempt = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly commandId: string;
  /** What a proof must be bound to, such as `wallet.create`. */
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
