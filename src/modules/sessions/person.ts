import type { UserDocument } from '../users/users.read-model';
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
  /** The secret of the authenticator, sealed for the user's id; null for a person without an authenticator. */
  readonly totpSecretSealed: string | null;
  /** Null until an authenticator was enrolled. */
  readonly totpEnrolledAt: string | null;
  readonly recoveryCodesLeft: number;
  readonly passkeys: UserDocument['passkeys'];
  readonly policy: SessionPolicyFacts;
};

/** The person and the account of a session. */
export type SessionOwner = Pick<SessionDocument, 'user_id' | 'merchant_id'>;

/** Finds the people of one realm: `InSession` is what requests of a session know of its person. */
export interface People<P extends Person = Person, InSession extends P = P> {
  idOfEmail(email: string): string;
  /**
   * For people before they are signed in: a stranger's question leaves no access document behind. Null where there is
   * no such person.
   */
  find(userId: string): Promise<P | null>;
  /** Throws Refusal session_revoked for a person who is gone, which no person of today is. */
  ofSession(session: SessionOwner): Promise<InSession>;
}
