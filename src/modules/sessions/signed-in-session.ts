import { unreachable } from '../../kernel/invariant';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { MerchantSessionPerson } from './merchant-people';
import type { OpenSession } from './session-authentication';
import type { SignInFacts } from './session-granting';
import type { Client, SessionStage, SignedIn, SignedInFacts } from './signed-in';

/** The person of an open session, as pages know the person. An owner whom the operator has made has no name yet. */
export function signedIn(open: OpenSession<MerchantSessionPerson>): SignedIn {
  const { role, merchantId, merchantName, accounts } = open.person;
  return { ...signedInFacts(open), role, merchantId, merchantName, accounts };
}

export function signedInFacts({ session: { body }, person }: OpenSession): SignedInFacts {
  const { session_id: sessionId, stage, method, expires_at: expiresAt } = body;
  const { userId, email, name, recoveryCodesLeft, policy } = person;
  return { sessionId, stage, method, userId, email, name: name ?? email, expiresAt, recoveryCodesLeft, policy };
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
