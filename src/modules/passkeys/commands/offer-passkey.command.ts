import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { WritePath } from '../../../kernel/write-path';
import type { JsonObject } from '../../../vocabulary/json';
import type { RealmName } from '../../../vocabulary/realms';
import { PasskeyCeremonies, type PasskeyUser } from '../passkey-ceremonies';
import { passkeys } from '../passkey.decider';

/**
 * The options of a user's registration, as the browser takes them. Throws Refusal passkeys_not_configured or
 * passkey_challenges_full.
 */
export class OfferPasskeyRegistration extends Command<JsonObject> {
  constructor(readonly user: PasskeyUser) {
    super();
  }
}

/** The options of a sign-in. Throws as OfferPasskeyRegistration does. */
export class OfferPasskeySignIn extends Command<JsonObject> {
  constructor(
    readonly realm: RealmName,
    /** The client's address, which the challenge is counted by. */
    readonly ip: string | null,
  ) {
    super();
  }
}

@CommandHandler(OfferPasskeyRegistration)
export class OfferPasskeyRegistrationHandler implements ICommandHandler<OfferPasskeyRegistration> {
  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly writePath: WritePath,
  ) {}

  async execute({ user }: OfferPasskeyRegistration): Promise<JsonObject> {
    const ids = user.passkeys.map(async ({ credential_hash: hash }) => {
      const { state } = await this.writePath.load(passkeys, 'platform', hash);
      return state.status === 'registered' ? [state.facts.credential_id] : [];
    });
    return this.ceremonies.offerRegistration(user, (await Promise.all(ids)).flat());
  }
}

@CommandHandler(OfferPasskeySignIn)
export class OfferPasskeySignInHandler implements ICommandHandler<OfferPasskeySignIn> {
  constructor(private readonly ceremonies: PasskeyCeremonies) {}

  execute({ realm, ip }: OfferPasskeySignIn): Promise<JsonObject> {
    return this.ceremonies.offerSignIn(realm, ip);
  }
}
