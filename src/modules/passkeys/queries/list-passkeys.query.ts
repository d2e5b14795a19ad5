import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { StoredPasskeyUsers } from '../passkey-users';
import { PasskeyUses } from '../passkey-uses';
import type { ListedPasskey } from './listed-passkey';

/** The user's passkeys, the oldest first. */
export class ListPasskeys extends Query<readonly ListedPasskey[]> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(ListPasskeys)
export class ListPasskeysHandler implements IQueryHandler<ListPasskeys> {
  constructor(
    private readonly users: StoredPasskeyUsers,
    private readonly uses: PasskeyUses,
  ) {}

  async execute({ userId }: ListPasskeys): Promise<readonly ListedPasskey[]> {
    const user = await this.users.find(userId);
    if (user === null) return [];
    const lastUses = await this.uses.lastUses(user.hashes);
    return user.passkeys.map(({ id, name, added_at: created, credential_hash }) => {
      return { id, name, created, last_used_at: lastUses.get(credential_hash) ?? null };
    });
  }
}
