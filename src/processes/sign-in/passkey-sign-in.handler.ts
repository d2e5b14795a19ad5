import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../kernel/clock';
import { invariant } from '../../kernel/invariant';
import { PORTS } from '../../kernel/ports/injection';
import { WritePath } from '../../kernel/write-path';
import { PasskeyCeremonies, rejected } from '../../modules/passkeys/passkey-ceremonies';
import { PasskeyUses } from '../../modules/passkeys/passkey-uses';
import { passkeys } from '../../modules/passkeys/passkey.decider';
import type { PasskeyRegistered } from '../../modules/passkeys/passkey.events';
import { SignInByPasskey } from '../../modules/sessions/commands/sign-in.command';
import type { Person } from '../../modules/sessions/person';
import { Realms } from '../../modules/sessions/realms';
import { RefusedSignIns } from '../../modules/sessions/refused-sign-ins';
import { sessionContext, SIGN_IN_ACTORS } from '../../modules/sessions/session-context';
import { seatsIn, type StoredSeats } from '../../modules/sessions/session-seats';
import type { GivenSession } from '../../modules/sessions/signed-in';
import { isRefusal, refuse } from '../../vocabulary/errors';

/** The passkey that an answer names, with its owner as the owner is at this moment. */
type Found = { readonly facts: PasskeyRegistered['data']; readonly person: Person; readonly seats: StoredSeats };

@CommandHandler(SignInByPasskey)
export class SignInByPasskeyHandler implements ICommandHandler<SignInByPasskey> {
  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly uses: PasskeyUses,
    private readonly writePath: WritePath,
    private readonly realms: Realms,
    private readonly refusals: RefusedSignIns,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  /** A signature cannot be guessed, so tries are recorded and not slowed. */
  async execute(command: SignInByPasskey): Promise<GivenSession> {
    const { client, requestId, realm } = command;
    const { granting } = this.realms.of(realm);
    const named: { found: Found | null } = { found: null };
    try {
      const { hash, counter } = await this.ceremonies.signIn(realm, command.credential, async hash => {
        named.found = await this.find(command, hash);
        return named.found && { userId: named.found.facts.user_id, publicKey: named.found.facts.public_key };
      });
      invariant(named.found, 'a passkey signed in whose owner was not looked for');
      const { facts, person, seats } = named.found;
      await this.checkCounter(command, hash, counter, facts, person);
      if (!person.isActive || person.isAccountDisabled) throw refuse('account_disabled');
      const { userId, merchantId, policy } = person;
      const { epoch } = seatsIn(seats);
      const started = { userId, merchantId, method: 'passkey', epoch, policy, client, requestId } as const;
      return await granting.full({ ...started, sessionId: granting.newSessionId() }, seats);
    } catch (error) {
      this.note(command, named.found, error);
      throw error;
    }
  }

  /** Null for a passkey that its owner's stream does not count. */
  private async find({ realm }: SignInByPasskey, hash: string): Promise<Found | null> {
    const { people, seats: allSeats } = this.realms.of(realm);
    const { state } = await this.writePath.load(passkeys, 'platform', hash);
    if (state.status !== 'registered') return null;
    const { facts } = state;
    const seats = await allSeats.of(facts.user_id);
    const person = await people.find(facts.user_id);
    const isCounted = person?.passkeys.some(({ id }) => id === facts.passkey_id) ?? false;
    return person && isCounted ? { facts, person, seats } : null;
  }

  private async checkCounter(
    { client, requestId, realm }: SignInByPasskey,
    hash: string,
    shown: number,
    { counter }: PasskeyRegistered['data'],
    { merchantId }: Person,
  ): Promise<void> {
    const seen = await this.uses.use(hash, counter, shown);
    if (seen === null) return;
    const nowMs = this.clock.now();
    const cause = { commandId: `${requestId}/regress`, merchantId, actor: SIGN_IN_ACTORS[realm], requestId, nowMs };
    const command = { type: 'note_regress', seen, shown } as const;
    await this.writePath.execute(passkeys, hash, command, sessionContext({ ...cause, ip: client.ip }));
    throw rejected('counter_regressed');
  }

  private note({ client, requestId, realm }: SignInByPasskey, found: Found | null, error: unknown): void {
    if (found === null || !isRefusal(error)) return;
    const { userId, merchantId, email } = found.person;
    const reason = error.code === 'account_disabled' ? 'account_disabled' : 'passkey';
    if (reason === 'passkey' && error.code !== 'passkey_rejected') return;
    this.refusals.note({ realm, userId, merchantId, email, reason, client, requestId });
  }
}
