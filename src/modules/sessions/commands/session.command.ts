import { Command } from '@nestjs/cqrs';
import type { Client, GivenSession, SignedIn } from '../signed-in';

/**
 * Finds the person of a cookie, and keeps the session from falling idle unless `isLive`: an open page that looks anew by
 * itself is no activity. Throws Refusal unknown_session, session_expired, session_revoked, session_ip_mismatch or
 * account_disabled.
 */
export class AuthenticateSession extends Command<SignedIn> {
  constructor(
    readonly secret: string,
    readonly client: Client,
    readonly isLive: boolean,
  ) {
    super();
  }
}

/**
 * Takes a fresh code for a risky action, and gives the session a new secret. The same `commandId` may show the same code
 * again. Throws Refusal mfa_required, mfa_proof_invalid or rate_limit.
 */
export class StepUp extends Command<GivenSession> {
  constructor(
    readonly secret: string,
    readonly code: string,
    /** Such as `wallet.create`. */
    readonly action: string,
    readonly commandId: string,
    readonly client: Client,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Ends a session of the user; all but `keep` where `sessionId` is null. Throws Refusal unknown_session. */
export class EndSessions extends Command<void> {
  constructor(
    readonly userId: string,
    readonly sessionId: string | null,
    readonly keep: string | null,
    readonly how: 'signed_out' | 'other_device' | 'password_changed' | 'user_disabled' | 'operator',
    readonly client: Client,
    readonly requestId: string | null,
  ) {
    super();
  }
}
