import { unreachable } from '../../kernel/invariant';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { UserRole } from '../../vocabulary/roles';
import type { AccountWithMethods } from '../merchants/read-account';
import type { MerchantSessionPerson } from './merchant-people';
import type { OpenSession } from './session-authentication';
import type { SignInFacts } from './session-granting';
import type { SessionPolicyFacts } from './session-policy.events';
import type { Client, SessionStage, SignInMethod } from './signed-in';

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
  /** The session as the request has read it, for commands about the session and its person. */
  readonly open: OpenSession;
};

/** The person of a merchant's request. */
export type SignedIn = SignedInFacts & {
  readonly role: UserRole;
  readonly merchantId: string;
  readonly merchantName: string;
  /** The account in each mode, as of this request. */
  readonly accounts: Readonly<Record<Mode, AccountWithMethods>>;
};

/** The person of an open session, as pages know the person. An owner whom the operator has made has no name yet. */
export function signedIn(open: OpenSession<MerchantSessionPerson>): SignedIn {
  const { role, merchantId, merchantName, accounts } = open.person;
  return { ...signedInFacts(open), role, merchantId, merchantName, accounts };
}

export function signedInFacts(open: OpenSession): SignedInFacts {
  const { body } = open.session;
  const { person } = open;
  const { session_id: sessionId, stage, method, expires_at: expiresAt } = body;
  const { userId, email, name, recoveryCodesLeft, policy } = person;
  return { sessionId, stage, method, userId, email, name: name ?? email, expiresAt, recoveryCodesLeft, policy, open };
}

/**
 * For whatever only a signed-in person may see. Throws Refusal mfa_required while the sign-in lacks a code or an
 * authenticator, and too_many_sessions while the oldest session is still to end.
 */
export function checkSignedIn({ stage }: Pick<SignedIn, 'stage'>): void {
  switch (stage) {
    case 'full':
      return;
    case 'choice':
      throw refuse('too_many_sessions');
    case 'enrolment':
      throw withoutAuthenticator();
    case 'code':
      throw refuse('mfa_required', {
        message: 'Complete the sign-in with a one-time code of your authenticator app first.',
      });
    default:
      return unreachable(stage);
  }
}

/** For a person who has no authenticator yet, and so no code to give. */
export function withoutAuthenticator(): Refusal {
  return refuse('mfa_required', { message: 'Enrol an authenticator app first.' });
}

/** Throws Refusal unknown_session for a session that waits for another step. */
export function checkStage({ session }: OpenSession, stage: SessionStage): void {
  if (session.body.stage !== stage) throw refuse('unknown_session');
}

/** The facts with which a session's next step goes on. */
export function factsOf({ session, person }: OpenSession, client: Client, requestId: string): SignInFacts {
  const { session_id: sessionId, merchant_id: merchantId, method, epoch } = session.body;
  return { sessionId, userId: person.userId, merchantId, method, epoch, policy: person.policy, client, requestId };
}
