import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { PasskeyUser } from '../passkey-ceremonies';
import { PasskeyUses } from '../passkey-uses';
import type { ListedPasskey } from './listed-passkey';

/** The passkeys of a user with their last uses, in the same order. */
export class ListPasskeys extends Query<readonly ListedPasskey[]> {
  constructor(readonly passkeys: PasskeyUser['passkeys']) {
    super();
  }
}

@QueryHandler(ListPasskeys)
export class ListPasskeysHandler implements IQueryHandler<ListPasskeys> {
  constructor(private readonly uses: PasskeyUses) {}

  async execute({ passkeys }: ListPasskeys): Promise<readonly ListedPasskey[]> {
    const lastUses = await this.uses.lastUses(passkeys.map(({ credential_hash }) => credential_hash));
    return passkeys.map(({ id, name, added_at: created, credential_hash }) => {
      return { id, name, created, last_used_at: lastUses.get(credential_hash) ?? null };
    });
  }
}
