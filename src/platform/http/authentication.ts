import type { ApiVersion } from '../../vocabulary/api-versions';
import type { Mode } from '../../vocabulary/modes';
import type { Permission } from '../../vocabulary/roles';
import type { Scope } from '../../vocabulary/scopes';
import type { MethodTerms } from '../../vocabulary/method-terms';
import type { PaymentLimits } from '../../vocabulary/payment-limits';
import type { SettingsFacts } from '../../vocabulary/settings-facts';

export type AuthenticatedKey = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly kind: 'sk' | 'pk' | 'rk';
  readonly scopes: readonly Scope[];
  /** The permissions that the key lacks, whatever its scopes; by default none. */
  readonly withheld?: readonly Permission[];
  /** The version that the account is pinned to; by default the newest. */
  readonly apiVersion?: ApiVersion;
  /** The settings as of this request; without them nothing is enabled. */
  readonly settings?: SettingsFacts;
  /** The limits on the account's new payments, as of this request; by default those of a new account. */
  readonly limits?: PaymentLimits;
  /** The account's terms for a choice of method, as of this request, where it asks for them. */
  readonly methodTerms?: MethodTerms | null;
  /** The account takes no new payments in this mode, as of this request. */
  readonly isPaused?: boolean;
  /** The account makes nothing new, as of this request, and can be read. */
  readonly isClosed?: boolean;
  /** ISO-8601 UTC; absent or null for a key without an end. */
  readonly expiresAt?: string | null;
  /** Milliseconds by the clock of the key's merchant and mode; without it, the wall's clock counts. */
  readonly nowMs?: number;
};

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
