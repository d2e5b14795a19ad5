import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { refuse } from '../../../vocabulary/errors';
import { MailedTokens } from '../mailed-tokens';
import { usersReadModel } from '../users.read-model';
import { shown, shownInvitation, type ListedUser } from './listed-user';

/** One person of the merchant, as of now. Throws Refusal resource_missing. */
export class GetUser extends Query<ListedUser> {
  constructor(
    readonly merchantId: string,
    readonly userId: string,
  ) {
    super();
  }
}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly tokens: MailedTokens,
  ) {}

  async execute({ merchantId, userId }: GetUser): Promise<ListedUser> {
    const found = await this.readModels.get(usersReadModel, 'platform', userId);
    if (found?.body.merchant_id === merchantId) return shown(found);
    const [invitation] = found === null ? [] : await this.tokens.listOpenInvitations(merchantId, userId);
    if (invitation === undefined) throw refuse('resource_missing');
    return shownInvitation(invitation);
  }
}
