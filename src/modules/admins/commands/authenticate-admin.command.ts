import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AdminRole } from '../../../vocabulary/admin-roles';
import { Realms } from '../../sessions/realms';
import type { Authentication } from '../../sessions/session-authentication';
import type { Client } from '../../sessions/signed-in';
import { signedInFacts, type SignedInFacts } from '../../sessions/signed-in-session';

export type SignedInAdmin = SignedInFacts & { readonly role: AdminRole };

/** Finds the administrator of a cookie. Throws Refusal unknown_session, session_expired or session_revoked. */
export class AuthenticateAdmin extends Command<SignedInAdmin> {
  constructor(
    readonly secret: string,
    readonly client: Client,
    readonly asking: Authentication,
  ) {
    super();
  }
}

@CommandHandler(AuthenticateAdmin)
export class AuthenticateAdminHandler implements ICommandHandler<AuthenticateAdmin> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client, asking }: AuthenticateAdmin): Promise<SignedInAdmin> {
    const open = await this.realms.admin.authentication.find(secret, client, asking);
    return { ...signedInFacts(open), role: open.person.role };
  }
}
