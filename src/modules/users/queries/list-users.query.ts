import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { everyDocument } from '../../../kernel/every-document';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { refuse } from '../../../vocabulary/errors';
import { usersReadModel, type UserDocument } from '../users.read-model';

const PAGE = 100;
/** Rows of one list. A merchant invites at most 20 people a day. */
const LISTED = 500;

/** A person of a merchant, without secrets. All times are ISO-8601 UTC. */
export type ListedUser = Pick<
  UserDocument,
  'email' | 'name' | 'role' | 'status' | 'email_verified_at' | 'totp_enrolled_at' | 'recovery_codes_left' | 'created'
> & {
  readonly id: string;
  readonly passkey_count: number;
};

/** The people of a merchant, the oldest first. The list follows the log within the runner's lag. */
export class ListUsers extends Query<readonly ListedUser[]> {
  constructor(readonly merchantId: string) {
    super();
  }
}

/** One person of the merchant, as of now. Throws Refusal resource_missing. */
export class GetUser extends Query<ListedUser> {
  constructor(
    readonly merchantId: string,
    readonly userId: string,
  ) {
    super();
  }
}

@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ merchantId }: ListUsers): Promise<readonly ListedUser[]> {
    const people: ListedUser[] = [];
    const query = { index: 'by_merchant', equals: { merchant_id: merchantId }, limit: PAGE };
    for await (const listed of everyDocument(this.readModels, usersReadModel, query)) {
      const newest = await this.readModels.freshen(usersReadModel, 'platform', listed);
      // An invitation that nobody took gives the address free for another merchant.
      if (newest?.body.merchant_id === merchantId) people.push(shown(newest));
      if (people.length >= LISTED) break;
    }
    return people;
  }
}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ merchantId, userId }: GetUser): Promise<ListedUser> {
    const found = await this.readModels.get(usersReadModel, 'platform', userId);
    if (found?.body.merchant_id !== merchantId) throw refuse('resource_missing');
    return shown(found);
  }
}

function shown({ id, body }: Document<UserDocument>): ListedUser {
  const { email, name, role, status, email_verified_at, totp_enrolled_at, recovery_codes_left, created } = body;
  const facts = { email, name, role, status, email_verified_at, totp_enrolled_at, recovery_codes_left, created };
  return { id, ...facts, passkey_count: body.passkeys.length };
}
