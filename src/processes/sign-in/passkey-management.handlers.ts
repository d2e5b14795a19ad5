import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type PersonContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { PORTS } from '../../kernel/ports/injection';
import { WritePath } from '../../kernel/write-path';
import { RegisterPasskey, RemovePasskey } from '../../modules/passkeys/commands/own-passkeys.command';
import { PasskeyCeremonies } from '../../modules/passkeys/passkey-ceremonies';
import { StoredPasskeyUsers } from '../../modules/passkeys/passkey-users';
import { PasskeyUses } from '../../modules/passkeys/passkey-uses';
import { passkeys } from '../../modules/passkeys/passkey.decider';
import { PeopleWrites, type ReadPerson } from '../../modules/users/credential-writes';
import { checkedName } from '../../modules/users/registration';
import { MAX_PASSKEYS } from '../../modules/users/credentials';
import type { PasskeyAdded } from '../../modules/users/user.events';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import { realmOf } from '../../vocabulary/realms';

const ID_BYTES = 10;

@CommandHandler(RegisterPasskey)
export class RegisterPasskeyHandler implements ICommandHandler<RegisterPasskey> {
  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly uses: PasskeyUses,
    private readonly users: StoredPasskeyUsers,
    private readonly people: PeopleWrites,
    private readonly writePath: WritePath,
    @Inject(PORTS.entropy) private readonly entropy: Entropy,
  ) {}

  /**
   * The passkey's stream decides who owns the credential, the user's stream how many the user has. A crash between the
   * two appends leaves a passkey that no user counts, and that anybody who holds the authenticator may register anew.
   */
  async execute({ userId, credential, name, context }: RegisterPasskey): Promise<{ readonly id: string }> {
    const shownName = checkedName(name);
    const person = await this.people.of(realmOf(userId)).read(userId);
    if ((person.active?.passkeys.length ?? 0) >= MAX_PASSKEYS) throw refuse('too_many_passkeys');
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
    await this.count(person, userId, { passkey_id: id, credential_hash: hash, name: shownName }, context);
    return { id };
  }

  private async count(
    person: ReadPerson,
    userId: string,
    passkey: PasskeyAdded['data'],
    context: PersonContext,
  ): Promise<void> {
    try {
      await person.change({ type: 'add_passkey', passkey }, withCommand(context, 'user'));
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
    return !(await this.users.hashesOf(owner)).includes(hash);
  }
}

@CommandHandler(RemovePasskey)
export class RemovePasskeyHandler implements ICommandHandler<RemovePasskey> {
  constructor(
    private readonly people: PeopleWrites,
    private readonly writePath: WritePath,
  ) {}

  /** The user's stream comes first: a passkey that it does not count signs nobody in. */
  async execute({ userId, passkeyId, context }: RemovePasskey): Promise<void> {
    const person = await this.people.of(realmOf(userId)).read(userId);
    const passkey = person.active?.passkeys.find(({ id }) => id === passkeyId);
    if (!passkey) throw refuse('unknown_passkey');
    await person.change({ type: 'remove_passkey', passkeyId }, withCommand(context, 'user'));
    await this.writePath.execute(passkeys, passkey.credentialHash, { type: 'withdraw', userId }, context);
  }
}
