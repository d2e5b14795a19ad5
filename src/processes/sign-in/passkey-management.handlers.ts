import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type PersonContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { PORTS } from '../../kernel/ports/injection';
import { WritePath } from '../../kernel/write-path';
import { RegisterPasskey, RemovePasskey } from '../../modules/passkeys/commands/own-passkeys.command';
import { PasskeyCeremonies } from '../../modules/passkeys/passkey-ceremonies';
import { StoredPasskeyUsers } from '../../modules/passkeys/passkey-users';
import { PasskeyUses } from '../../modules/passkeys/passkey-uses';
import { passkeys } from '../../modules/passkeys/passkey.decider';
import { AddUserPasskey, RemoveUserPasskey } from '../../modules/users/commands/count-passkeys.command';
import { checkedName } from '../../modules/users/registration';
import { MAX_PASSKEYS } from '../../modules/users/credentials';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';

const ID_BYTES = 10;

@CommandHandler(RegisterPasskey)
export class RegisterPasskeyHandler implements ICommandHandler<RegisterPasskey> {
  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly uses: PasskeyUses,
    private readonly users: StoredPasskeyUsers,
    private readonly writePath: WritePath,
    private readonly commands: CommandBus,
    @Inject(PORTS.entropy) private readonly entropy: Entropy,
  ) {}

  /**
   * The passkey's stream decides who owns the credential, the user's stream how many the user has. A crash between the
   * two appends leaves a passkey that no user counts, and that anybody who holds the authenticator may register anew.
   */
  async execute({ userId, credential, name, context }: RegisterPasskey): Promise<{ readonly id: string }> {
    const shownName = checkedName(name);
    const count = (await this.users.find(userId))?.passkeys.length ?? 0;
    if (count >= MAX_PASSKEYS) throw refuse('too_many_passkeys');
    const { hash, credentialId, publicKey, counter } = await this.ceremonies.register(userId, credential);
    const id = timedId('psk', context.startedAt, this.entropy.bytes(ID_BYTES));
    const facts = { passkey_id: id, user_id: userId, credential_id: credentialId, public_key: publicKey, counter };
    await this.writePath.executePlan(
      passkeys,
      hash,
      (_, isOrphan: boolean) => ({ command: { type: 'register', facts, isOrphan } as const, context }),
      context,
      { find: async ({ state }) => state.status === 'registered' && this.isOrphan(state.facts.user_id, hash) },
    );
    await this.uses.begin(hash, counter);
    await this.count(userId, { passkey_id: id, credential_hash: hash, name: shownName }, context);
    return { id };
  }

  private async count(userId: string, passkey: AddUserPasskey['passkey'], context: PersonContext): Promise<void> {
    try {
      await this.commands.execute(new AddUserPasskey(userId, passkey, withCommand(context, 'user')));
    } catch (error) {
      // Other passkeys may have been added since the user was read.
      if (isRefusal(error)) {
        const withdrawal = { type: 'withdraw', userId } as const;
        await this.writePath.execute(passkeys, passkey.credential_hash, withdrawal, withCommand(context, 'withdraw'));
      }
      throw error;
    }
  }

  private async isOrphan(owner: string, hash: string): Promise<boolean> {
    return !(await this.users.find(owner))?.hashes.includes(hash);
  }
}

@CommandHandler(RemovePasskey)
export class RemovePasskeyHandler implements ICommandHandler<RemovePasskey> {
  constructor(
    private readonly users: StoredPasskeyUsers,
    private readonly writePath: WritePath,
    private readonly commands: CommandBus,
  ) {}

  /** The user's stream comes first: a passkey that it does not count signs nobody in. */
  async execute({ userId, passkeyId, context }: RemovePasskey): Promise<void> {
    const passkey = (await this.users.find(userId))?.passkeys.find(({ id }) => id === passkeyId);
    if (!passkey) throw refuse('unknown_passkey');
    await this.commands.execute(new RemoveUserPasskey(userId, passkeyId, withCommand(context, 'user')));
    const withdrawal = { type: 'withdraw', userId } as const;
    await this.writePath.execute(passkeys, passkey.credential_hash, withdrawal, context);
  }
}
