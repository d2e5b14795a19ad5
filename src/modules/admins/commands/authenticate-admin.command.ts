import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AdminRole } from '../../../vocabulary/admin-roles';
import { Realms } from '../../sessions/realms';
import type { Client, SignedInFacts } from '../../sessions/signed-in';
import { signedInFacts } from '../../sessions/signed-in-session';

type SignedInAdmin = SignedInFacts & { readonly role: AdminRole };

/**
 * Finds the administrator of a cookie, and keeps the session from falling idle. Throws Refusal unknown_session,
 * session_expired or session_revoked.
 */
export class AuthenticateAdmin extends Command<SignedInAdmin> {
  constructor(
    readonly secret: string,
    readonly client: Client,
  ) {
    super();
  }
}

@CommandHandler(AuthenticateAdmin)
export class AuthenticateAdminHandler implements ICommandHandler<AuthenticateAdmin> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client }: AuthenticateAdmin): Promise<SignedInAdmin> {
    const { authentication } = this.realms.admin;
    const open = await authentication.find(secret, client);
    await authentication.noteUse(open);
    return { ...signedInFacts(open), role: open.person.role };
  }
}
