import type { ReadModels } from '../../kernel/ports/read-models';
import { realmOf } from '../../vocabulary/realms';
import { adminsReadModel } from '../admins/admins.read-model';
import { usersReadModel, type UserDocument } from '../users/users.read-model';
import type { PasskeyUser } from './passkey-ceremonies';

/** A user with the passkeys that the user's own stream counts. */
type StoredPasskeyUser = PasskeyUser & {
  readonly passkeys: UserDocument['passkeys'];
  /** Hashes of the credentials' ids. */
  readonly hashes: readonly string[];
};

export class StoredPasskeyUsers {
  constructor(private readonly readModels: Pick<ReadModels, 'get'>) {}

  /** The user as of the newest event; null where there is none. */
  async find(userId: string): Promise<StoredPasskeyUser | null> {
    const user = await this.found(userId);
    if (user === null) return null;
    const { email, name, passkeys } = user.body;
    return { userId, email, name, passkeys, hashes: passkeys.map(({ credential_hash }) => credential_hash) };
  }

  private found(userId: string) {
    if (realmOf(userId) === 'admin') return this.readModels.get(adminsReadModel, 'platform', userId);
    return this.readModels.get(usersReadModel, 'platform', userId);
  }
}
