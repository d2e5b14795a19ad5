import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../kernel/event';
import { isRefusal, refuse } from '../../../vocabulary/errors';
import { realmOf, type RealmName } from '../../../vocabulary/realms';
import { Realms } from '../realms';
import { documentIdOf, SessionSecrets } from '../session-secret';
import type { EndedSessions } from '../session-granting';
import type { SessionEnding } from '../session.events';
import type { Client, GivenSession, SignedIn } from '../signed-in';
import { checkSignedIn, signedIn } from '../signed-in-session';

/**
 * Finds the person of a cookie, and keeps the session from falling idle. `isLive`: an open page looks anew by itself,
 * which is no activity. Throws Refusal unknown_session, session_expired, session_revoked, session_ip_mismatch or
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
 * Takes a fresh code for a risky action, and gives the session a new secret. The same `commandId` may show the same
 * code again. Throws Refusal mfa_required, mfa_proof_invalid or rate_limit.
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
    /** The form that shows the code, which a browser may send twice; null for none. */
    readonly formId: string | null,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/**
 * Finds the person whose session has just got a new secret in the place of this one. A browser that sends a form twice
 * may never see the first answer, and with it the new secret. Throws the refusals of AuthenticateSession.
 */
export class AuthenticateReplaced extends Command<SignedIn> {
  constructor(
    readonly secret: string,
    readonly client: Client,
  ) {
    super();
  }
}

/** The secret that the form of this id has just put in the place of `secret`, if that is the newest one; or null. */
export class FollowStepUp extends Command<string | null> {
  constructor(
    readonly secret: string,
    readonly formId: string,
    readonly client: Client,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/** The request that ends sessions. `actor` ends them; left out where that is their own user. */
type EndingRequest = { readonly ip: string | null; readonly requestId: string | null; readonly actor?: Actor };

/** Ends sessions of the user. Throws Refusal unknown_session where the one that is named is not there. */
export class EndSessions extends Command<void> {
  constructor(
    readonly userId: string,
    readonly which: EndedSessions,
    readonly how: Exclude<SessionEnding, 'oldest'>,
    readonly request: EndingRequest,
  ) {
    super();
  }
}

@CommandHandler(AuthenticateSession)
export class AuthenticateSessionHandler implements ICommandHandler<AuthenticateSession> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client, isLive }: AuthenticateSession): Promise<SignedIn> {
    const { authentication } = this.realms.merchant;
    const open = await authentication.find(secret, client);
    if (!isLive) await authentication.noteUse(open);
    return signedIn(open);
  }
}

@CommandHandler(StepUp)
export class StepUpHandler implements ICommandHandler<StepUp> {
  constructor(
    private readonly realms: Realms,
    private readonly secrets: SessionSecrets,
  ) {}

  async execute({ secret, code, action, commandId, client, requestId, formId, realm }: StepUp): Promise<GivenSession> {
    const { authentication, codes, granting } = this.realms.of(realm);
    const { session, person } = await authentication.find(secret, client);
    const { session_id: keyId, merchant_id: merchantId, stage } = session.body;
    checkSignedIn({ stage });
    const shown = code.trim();
    const proof = { merchantId, keyId, action, userId: person.userId, code: shown === '' ? null : shown, commandId };
    await codes.verify(proof);
    const next = await this.secrets.after(secret, formId);
    return granting.renew(session, { action, commandId, secret: next }, { client, requestId });
  }
}

@CommandHandler(AuthenticateReplaced)
export class AuthenticateReplacedHandler implements ICommandHandler<AuthenticateReplaced> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client }: AuthenticateReplaced): Promise<SignedIn> {
    return signedIn(await this.realms.merchant.authentication.findReplaced(secret, client));
  }
}

@CommandHandler(FollowStepUp)
export class FollowStepUpHandler implements ICommandHandler<FollowStepUp> {
  constructor(
    private readonly realms: Realms,
    private readonly secrets: SessionSecrets,
  ) {}

  async execute({ secret, formId, client, realm }: FollowStepUp): Promise<string | null> {
    const next = await this.secrets.after(secret, formId);
    try {
      const { session } = await this.realms.of(realm).authentication.findReplaced(secret, client);
      return session.id === documentIdOf(next) ? next : null;
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }
}

@CommandHandler(EndSessions)
export class EndSessionsHandler implements ICommandHandler<EndSessions> {
  constructor(private readonly realms: Realms) {}

  async execute({ userId, which, how, request }: EndSessions): Promise<void> {
    const { people, granting } = this.realms.of(realmOf(userId));
    const person = await people.find(userId);
    if (person === null) throw refuse('unknown_session');
    const { ip, requestId, actor = null } = request;
    const isEnded = await granting.end(userId, which, how, { ip, requestId, merchantId: person.merchantId, actor });
    if (which !== 'all' && 'only' in which && !isEnded) throw refuse('unknown_session');
  }
}
