import type { Mode } from '../../vocabulary/modes';
import type { UserRole } from '../../vocabulary/roles';
import type { AccountWithMethods } from '../merchants/read-account';
import type { SessionPolicyFacts } from './session-policy.events';

/** The browser that a request comes from. `ip` is null where the address is not known. */
export type Client = { readonly ip: string | null; readonly userAgent: string };

export const SIGN_IN_METHODS = ['password', 'passkey', 'recovery_code'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/**
 * The stage of a session. `code`: the password was right and the code is to come. `choice`: all was right, and an older
 * session must end first. `enrolment`: the session can only enrol an authenticator. `full`: the person is signed in.
 */
export const SESSION_STAGES = ['code', 'choice', 'enrolment', 'full'] as const;
export type SessionStage = (typeof SESSION_STAGES)[number];

/** The session of a request's person, whichever side of the service the person belongs to. */
export type SignedInFacts = {
  readonly sessionId: string;
  readonly stage: SessionStage;
  readonly method: SignInMethod;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** ISO-8601 UTC: the end that no activity moves. */
  readonly expiresAt: string;
  readonly recoveryCodesLeft: number;
  /** The policy that the session goes by. */
  readonly policy: SessionPolicyFacts;
};

/** The person of a merchant's request. */
export type SignedIn = SignedInFacts & {
  readonly role: UserRole;
  readonly merchantId: string;
  readonly merchantName: string;
  /** The account in each mode, as of this request. */
  readonly accounts: Readonly<Record<Mode, AccountWithMethods>>;
};

/** A session's secret is the text of its cookie. The secret is given out once, and its SHA-256 alone is kept. */
export type GivenSession = { readonly secret: string; readonly stage: SessionStage; readonly expiresAt: string };
