import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PersonContext } from '../../../kernel/command-context';
import { realmOf } from '../../../vocabulary/realms';
import type { PasskeyAdded } from '../user.events';
import { PeopleWrites } from '../credential-writes';

/**
 * Counts a passkey of the user. Throws Refusal resource_missing, passkey_already_registered, or too_many_passkeys for
 * the eleventh.
 */
export class AddUserPasskey extends Command<void> {
  constructor(
    readonly userId: string,
    readonly passkey: PasskeyAdded['data'],
    readonly context: PersonContext,
  ) {
    super();
  }
}

/** Throws Refusal resource_missing or unknown_passkey. */
export class RemoveUserPasskey extends Command<void> {
  constructor(
    readonly userId: string,
    readonly passkeyId: string,
    readonly context: PersonContext,
  ) {
    super();
  }
}

@CommandHandler(AddUserPasskey)
export class AddUserPasskeyHandler implements ICommandHandler<AddUserPasskey> {
  constructor(private readonly people: PeopleWrites) {}

  async execute({ userId, passkey, context }: AddUserPasskey): Promise<void> {
    await this.people.of(realmOf(userId)).change(userId, { type: 'add_passkey', passkey }, context);
  }
}

@CommandHandler(RemoveUserPasskey)
export class RemoveUserPasskeyHandler implements ICommandHandler<RemoveUserPasskey> {
  constructor(private readonly people: PeopleWrites) {}

  async execute({ userId, passkeyId, context }: RemoveUserPasskey): Promise<void> {
    await this.people.of(realmOf(userId)).change(userId, { type: 'remove_passkey', passkeyId }, context);
  }
}
