import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { RealmName } from '../../../vocabulary/realms';
import { MailedTokens } from '../mailed-tokens';

/** Looks whether a mailed invitation can be taken, and takes nothing. Throws Refusal parameter_invalid for `token`. */
export class FindInvitation extends Query<void> {
  constructor(
    readonly token: string,
    readonly commandId: string,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

@QueryHandler(FindInvitation)
export class FindInvitationHandler implements IQueryHandler<FindInvitation> {
  constructor(private readonly tokens: MailedTokens) {}

  async execute({ token, commandId, realm }: FindInvitation): Promise<void> {
    await this.tokens.find(realm === 'admin' ? 'admin_invitation' : 'invitation', token, commandId);
  }
}
