import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import type { PasskeyAdded } from '../user.events';
import { UserWrites } from '../user-writes';

/**
 * Counts a passkey of the user. Throws Refusal resource_missing, passkey_already_registered, or too_many_passkeys for
 * the eleventh.
 */
export class AddUserPasskey extends Command<void> {
  constructor(
    readonly userId: string,
    readonly passkey: PasskeyAdded['data'],
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Throws Refusal resource_missing or unknown_passkey. */
export class RemoveUserPasskey extends Command<void> {
  constructor(
    readonly userId: string,
    readonly passkeyId: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(AddUserPasskey)
export class AddUserPasskeyHandler implements ICommandHandler<AddUserPasskey> {
  constructor(private readonly writes: UserWrites) {}

  async execute({ userId, passkey, context }: AddUserPasskey): Promise<void> {
    await this.writes.execute(userId, { type: 'add_passkey', passkey }, context);
  }
}

@CommandHandler(RemoveUserPasskey)
export class RemoveUserPasskeyHandler implements ICommandHandler<RemoveUserPasskey> {
  constructor(private readonly writes: UserWrites) {}

  async execute({ userId, passkeyId, context }: RemoveUserPasskey): Promise<void> {
    await this.writes.execute(userId, { type: 'remove_passkey', passkeyId }, context);
  }
}
