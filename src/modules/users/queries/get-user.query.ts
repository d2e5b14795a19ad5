import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { Document } from '../../../kernel/ports/documents';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { refuse } from '../../../vocabulary/errors';
import { MailedTokens } from '../mailed-tokens';
import { usersReadModel, type UserDocument } from '../users.read-model';
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

/**
 * The address of such a person, which never changes: the id follows from it. A command decides on the person
 * afterwards, so the stream is left to it. Throws as GetUser does.
 */
export class GetUserEmail extends Query<string> {
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
    return shownTo(merchantId, userId, await this.readModels.get(usersReadModel, 'platform', userId), this.tokens);
  }
}

@QueryHandler(GetUserEmail)
export class GetUserEmailHandler implements IQueryHandler<GetUserEmail> {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly tokens: MailedTokens,
  ) {}

  async execute({ merchantId, userId }: GetUserEmail): Promise<string> {
    const stored = await this.readModels.stored(usersReadModel, ['platform'], userId);
    return (await shownTo(merchantId, userId, stored, this.tokens)).email;
  }
}

async function shownTo(
  merchantId: string,
  userId: string,
  found: Document<UserDocument> | null,
  tokens: MailedTokens,
): Promise<ListedUser> {
  if (found?.body.merchant_id === merchantId) return shown(found);
  const [invitation] = found === null ? [] : await tokens.listOpenInvitations(merchantId, userId);
  if (invitation === undefined) throw refuse('resource_missing');
  return shownInvitation(invitation);
}
