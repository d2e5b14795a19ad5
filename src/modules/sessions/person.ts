import type { SessionDocument } from './session-document';
import type { SessionPolicyFacts } from './session-policy.events';

/** A person of either realm who signs in, as of this moment. */
export type Person = {
  readonly userId: string;
  /** The account that the person's events belong to; null for the operator's people. */
  readonly merchantId: string | null;
  readonly email: string;
  /** Null until the person has one. */
  readonly name: string | null;
  readonly isActive: boolean;
  /** No user of the person's account gets in. */
  readonly isAccountDisabled: boolean;
  /** Null until the person has one. */
  readonly passwordHash: string | null;
  readonly hasAuthenticator: boolean;
  /** Null until an authenticator was enrolled. */
  readonly totpEnrolledAt: string | null;
  readonly recoveryCodesLeft: number;
  readonly passkeyIds: readonly string[];
  readonly policy: SessionPolicyFacts;
};

/** Finds the people of one realm. */
export interface People<P extends Person = Person> {
  idOfEmail(email: string): string;
  /**
   * For people before they are signed in: a stranger's question leaves no access document behind. Null where there is
   * no such person.
   */
  find(userId: string): Promise<P | null>;
  /** Throws Refusal session_revoked for a person who is gone, which no person of today is. */
  ofSession(session: Pick<SessionDocument, 'user_id' | 'merchant_id'>): Promise<P>;
}
