import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import type { JsonObject } from '../../../vocabulary/json';
import type { RealmName } from '../../../vocabulary/realms';
import { StoredPasskeyUsers } from '../passkey-users';
import { PasskeyCeremonies } from '../passkey-ceremonies';
import { passkeys } from '../passkey.decider';

/**
 * The options of a ceremony, as the browser takes them. `userId` is null for a sign-in. Throws Refusal
 * passkeys_not_configured or passkey_challenges_full.
 */
export class OfferPasskey extends Command<JsonObject> {
  constructor(
    readonly purpose: 'register' | 'sign_in',
    readonly userId: string | null,
    /** The client's address, which a sign-in's challenge is counted by. */
    readonly ip: string | null,
    /** The realm that a sign-in is for. */
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

@CommandHandler(OfferPasskey)
export class OfferPasskeyHandler implements ICommandHandler<OfferPasskey> {
  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly users: StoredPasskeyUsers,
    private readonly writePath: WritePath,
  ) {}

  async execute({ purpose, userId, ip, realm }: OfferPasskey): Promise<JsonObject> {
    if (purpose === 'sign_in' || userId === null) return this.ceremonies.offerSignIn(realm, ip);
    const user = await this.users.find(userId);
    if (user === null) throw refuse('resource_missing');
    const ids = user.hashes.map(async hash => {
      const { state } = await this.writePath.load(passkeys, 'platform', hash);
      return state.status === 'registered' ? [state.facts.credential_id] : [];
    });
    return this.ceremonies.offerRegistration(user, (await Promise.all(ids)).flat());
  }
}
