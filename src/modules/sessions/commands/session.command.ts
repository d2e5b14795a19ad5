import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../kernel/event';
import { refuse } from '../../../vocabulary/errors';
import { realmOf } from '../../../vocabulary/realms';
import { TotpVerifier } from '../../users/totp-verifier';
import { Realms } from '../realms';
import type { Authentication, OpenSession } from '../session-authentication';
import type { EndedSessions } from '../session-granting';
import { seatsIn } from '../session-seats';
import { documentIdOf, SessionSecrets, type RepeatedForm } from '../session-secret';
import type { SessionEnding } from '../session.events';
import type { Client, GivenSession } from '../signed-in';
import { checkSignedIn, signedIn, type SignedIn } from '../signed-in-session';

/**
 * Finds the person of a cookie. Throws Refusal unknown_session, session_expired, session_revoked, session_ip_mismatch
 * or account_disabled.
 */
export class AuthenticateSession extends Command<SignedIn> {
  constructor(
    readonly secret: string,
    readonly client: Client,
    readonly asking: Authentication,
  ) {
    super();
  }
}

/**
 * Takes a fresh code for a risky action, and gives the session a new secret. The same `commandId` may show the same
 * code again. Throws Refusal mfa_required, mfa_proof_invalid, rate_limit, or session_revoked where the session has
 * ended since the request was let in.
 */
export class StepUp extends Command<GivenSession> {
  constructor(
    readonly open: OpenSession,
    readonly code: string,
    /** Such as `wallet.create`. */
    readonly action: string,
    readonly commandId: string,
    readonly client: Client,
    readonly requestId: string,
    /** The form that shows the code; null for none. */
    readonly form: RepeatedForm | null,
  ) {
    super();
  }
}

/** The secret that the same form has just put in the place of its own, if that is the session's newest one; or null. */
export class FollowStepUp extends Command<string | null> {
  constructor(
    readonly open: OpenSession,
    readonly form: RepeatedForm,
  ) {
    super();
  }
}

/** The request that ends sessions. */
type EndingRequest = { readonly ip: string | null; readonly requestId: string | null };

/** Ends sessions of the user of this one. Throws Refusal unknown_session where the one that is named is not there. */
export class EndOwnSessions extends Command<void> {
  constructor(
    readonly open: OpenSession,
    readonly which: EndedSessions,
    readonly how: Exclude<SessionEnding, 'oldest'>,
    readonly request: EndingRequest,
  ) {
    super();
  }
}

/** Ends all sessions of a user. `actor` ends them; left out where that is the user. */
export class EndAllSessions extends Command<void> {
  constructor(
    readonly userId: string,
    readonly how: Exclude<SessionEnding, 'oldest'>,
    readonly request: EndingRequest & { readonly merchantId: string | null; readonly actor?: Actor },
  ) {
    super();
  }
}

@CommandHandler(AuthenticateSession)
export class AuthenticateSessionHandler implements ICommandHandler<AuthenticateSession> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client, asking }: AuthenticateSession): Promise<SignedIn> {
    return signedIn(await this.realms.merchant.authentication.find(secret, client, asking));
  }
}

@CommandHandler(StepUp)
export class StepUpHandler implements ICommandHandler<StepUp> {
  constructor(
    private readonly realms: Realms,
    private readonly codes: TotpVerifier,
    private readonly secrets: SessionSecrets,
  ) {}

  async execute({ open, code, action, commandId, client, requestId, form }: StepUp): Promise<GivenSession> {
    const { session, person } = open;
    const { session_id: keyId, stage } = session.body;
    checkSignedIn({ stage });
    const shown = code.trim();
    await this.codes.verifyOf(person, { keyId, action, code: shown === '' ? null : shown, commandId });
    const secret = await this.secrets.next(form);
    const { granting } = this.realms.of(realmOf(person.userId));
    return granting.renew(open, { action, commandId, secret }, { client, requestId });
  }
}

@CommandHandler(FollowStepUp)
export class FollowStepUpHandler implements ICommandHandler<FollowStepUp> {
  constructor(
    private readonly realms: Realms,
    private readonly secrets: SessionSecrets,
  ) {}

  async execute({ open: { session, person }, form }: FollowStepUp): Promise<string | null> {
    const next = await this.secrets.next(form);
    const document = documentIdOf(next);
    if (session.id === document) return next;
    const { seats } = seatsIn(await this.realms.of(realmOf(person.userId)).seats.of(person.userId));
    return seats.some(seat => seat.document === document) ? next : null;
  }
}

@CommandHandler(EndOwnSessions)
export class EndOwnSessionsHandler implements ICommandHandler<EndOwnSessions> {
  constructor(private readonly realms: Realms) {}

  async execute({ open, which, how, request: { ip, requestId } }: EndOwnSessions): Promise<void> {
    const { userId, merchantId } = open.person;
    const { granting } = this.realms.of(realmOf(userId));
    const isEnded = await granting.end(userId, open, which, how, { ip, requestId, merchantId, actor: null });
    if (which !== 'all' && 'only' in which && !isEnded) throw refuse('unknown_session');
  }
}

@CommandHandler(EndAllSessions)
export class EndAllSessionsHandler implements ICommandHandler<EndAllSessions> {
  constructor(private readonly realms: Realms) {}

  async execute({ userId, how, request }: EndAllSessions): Promise<void> {
    const { granting, seats } = this.realms.of(realmOf(userId));
    const { ip, requestId, merchantId, actor = null } = request;
    const known = { session: null, seats: await seats.of(userId) };
    await granting.end(userId, known, 'all', how, { ip, requestId, merchantId, actor });
  }
}
