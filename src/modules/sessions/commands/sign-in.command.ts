import { Command } from '@nestjs/cqrs';
import type { RealmName } from '../../../vocabulary/realms';
import type { OpenSession } from '../session-authentication';
import type { Client, GivenSession } from '../signed-in';

/**
 * The first step: e-mail address and password. Answers a session of the stage `code`, or `enrolment` for a user without
 * an authenticator. Throws Refusal invalid_credentials, account_disabled or rate_limit.
 */
export class StartSignIn extends Command<GivenSession> {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly client: Client,
    readonly requestId: string,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/**
 * The second step: a one-time code. Answers a session of the stage `full`, or `choice` where five sessions are open.
 * Throws Refusal unknown_session, session_expired, mfa_required, mfa_proof_invalid or rate_limit.
 */
export class ConfirmSignIn extends Command<GivenSession> {
  constructor(
    readonly open: OpenSession,
    readonly code: string,
    readonly client: Client,
    readonly requestId: string,
  ) {
    super();
  }
}

/** The step of a session in the stage `choice`: ends the user's oldest session, and answers a full one. */
export class EndOldestSession extends Command<GivenSession> {
  constructor(
    readonly open: OpenSession,
    readonly client: Client,
    readonly requestId: string,
  ) {
    super();
  }
}

/**
 * In place of the second step: a recovery code, which is used up. Answers a session of the stage `enrolment`. Throws
 * Refusal mfa_proof_invalid or rate_limit.
 */
export class RecoverSignIn extends Command<GivenSession> {
  constructor(
    readonly open: OpenSession,
    readonly recoveryCode: string,
    readonly client: Client,
    readonly requestId: string,
  ) {
    super();
  }
}

/**
 * The step of a session in the stage `enrolment`, once an authenticator is enrolled: answers a full session, or
 * `choice` where five sessions are open. Throws Refusal mfa_required before that.
 */
export class FinishEnrolment extends Command<GivenSession> {
  constructor(
    readonly open: OpenSession,
    readonly client: Client,
    readonly requestId: string,
  ) {
    super();
  }
}

/**
 * A passkey, which is both factors. Answers as ConfirmSignIn does. Throws Refusal passkeys_not_configured,
 * passkey_malformed, passkey_rejected or account_disabled.
 */
export class SignInByPasskey extends Command<GivenSession> {
  constructor(
    /** The browser's answer, as JSON. */
    readonly credential: unknown,
    readonly client: Client,
    readonly requestId: string,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}
