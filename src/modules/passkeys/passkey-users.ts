import type { ReadModels } from '../../kernel/ports/read-models';
import { realmOf } from '../../vocabulary/realms';
import { adminsReadModel } from '../admins/admins.read-model';
import { usersReadModel } from '../users/users.read-model';

export class StoredPasskeyUsers {
  constructor(private readonly readModels: Pick<ReadModels, 'get'>) {}

  /** Hashes of the credentials that the user's own stream counts, as of its newest event. */
  async hashesOf(userId: string): Promise<readonly string[]> {
    const user = await this.found(userId);
    return (user?.body.passkeys ?? []).map(({ credential_hash }) => credential_hash);
  }

  private found(userId: string) {
    if (realmOf(userId) === 'admin') return this.readModels.get(adminsReadModel, 'platform', userId);
    return this.readModels.get(usersReadModel, 'platform', userId);
  }
}
