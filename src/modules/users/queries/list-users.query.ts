import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { everyDocument } from '../../../kernel/every-document';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { usersReadModel } from '../users.read-model';
import { MailedTokens } from '../mailed-tokens';
import { shown, shownInvitation, type ListedUser } from './listed-user';

const PAGE = 100;
/** Rows of one list. A merchant invites at most 20 people a day. */
const LISTED = 500;

/** The people of a merchant, the oldest first. The list follows the log within the runner's lag. */
export class ListUsers extends Query<readonly ListedUser[]> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly tokens: MailedTokens,
  ) {}

  async execute({ merchantId }: ListUsers): Promise<readonly ListedUser[]> {
    const people = new Map<string, ListedUser>();
    for (const invitation of await this.tokens.listOpenInvitations(merchantId))
      people.set(invitation.user_id, shownInvitation(invitation));
    const query = { index: 'by_merchant', equals: { merchant_id: merchantId }, limit: PAGE };
    for await (const listed of everyDocument(this.readModels, usersReadModel, query)) {
      const newest = await this.readModels.freshen(usersReadModel, 'platform', listed);
      // An invitation that nobody took gives the address free for another merchant.
      if (newest?.body.merchant_id === merchantId) people.set(newest.id, shown(newest));
      if (people.size >= LISTED) break;
    }
    return [...people.values()].sort(oldestFirst);
  }
}

function oldestFirst(one: ListedUser, other: ListedUser): number {
  const [a, b] = [one, other].map(({ created, id }) => `${created} ${id}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}
