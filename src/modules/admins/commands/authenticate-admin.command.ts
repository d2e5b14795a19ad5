import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AdminRole } from '../../../vocabulary/admin-roles';
import { Realms } from '../../sessions/realms';
import type { Client, SignedInFacts } from '../../sessions/signed-in';
import { signedInFacts } from '../../sessions/signed-in-session';

export type SignedInAdmin = SignedInFacts & { readonly role: AdminRole };

/**
 * The reason of the question. `use`: a request, which keeps the session from falling idle. `look`: an open page looks
 * anew by itself. `replaced`: a form is sent again, whose first answer brought the session's new secret.
 */
export type Authentication = 'use' | 'look' | 'replaced';

/** Finds the administrator of a cookie. Throws Refusal unknown_session, session_expired or session_revoked. */
export class AuthenticateAdmin extends Command<SignedInAdmin> {
  constructor(
    readonly secret: string,
    readonly client: Client,
    readonly authentication: Authentication = 'use',
  ) {
    super();
  }
}

@CommandHandler(AuthenticateAdmin)
export class AuthenticateAdminHandler implements ICommandHandler<AuthenticateAdmin> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client, authentication: reason }: AuthenticateAdmin): Promise<SignedInAdmin> {
    const { authentication } = this.realms.admin;
    const open = await (reason === 'replaced'
      ? authentication.findReplaced(secret, client)
      : authentication.find(secret, client));
    if (reason === 'use') await authentication.noteUse(open);
    return { ...signedInFacts(open), role: open.person.role };
  }
}
