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
import { StoredPeople, type Person } from '../../modules/sessions/person';
import { RefusedSignIns } from '../../modules/sessions/refused-sign-ins';
import { sessionContext, SIGN_IN_ACTOR } from '../../modules/sessions/session-context';
import { SessionGranting } from '../../modules/sessions/session-granting';
import { SessionSeats } from '../../modules/sessions/session-seats';
import type { GivenSession } from '../../modules/sessions/signed-in';
import { isRefusal, refuse } from '../../vocabulary/errors';

/** The passkey that an answer names, with its owner as the owner is at this moment. */
type Found = { readonly facts: PasskeyRegistered['data']; readonly person: Person; readonly epoch: number };

@CommandHandler(SignInByPasskey)
export class SignInByPasskeyHandler implements ICommandHandler<SignInByPasskey> {
  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly uses: PasskeyUses,
    private readonly writePath: WritePath,
    private readonly people: StoredPeople,
    private readonly seats: SessionSeats,
    private readonly granting: SessionGranting,
    private readonly refusals: RefusedSignIns,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  /** A signature cannot be guessed, so tries are recorded and not slowed. */
  async execute(command: SignInByPasskey): Promise<GivenSession> {
    const { client, requestId } = command;
    const named: { found: Found | null } = { found: null };
    try {
      const { hash, counter } = await this.ceremonies.signIn(command.credential, async hash => {
        named.found = await this.find(hash);
        return named.found && { userId: named.found.facts.user_id, publicKey: named.found.facts.public_key };
      });
      invariant(named.found, 'a passkey signed in whose owner was not looked for');
      const { facts, person, epoch } = named.found;
      await this.checkCounter(command, hash, counter, facts, person);
      const merchantId = person.user.merchant_id;
      if (person.user.status !== 'active' || person.merchant.status === 'disabled') throw refuse('account_disabled');
      const { userId, policy } = person;
      const started = { userId, merchantId, method: 'passkey', epoch, policy, client, requestId } as const;
      return await this.granting.full({ ...started, sessionId: this.granting.newSessionId() });
    } catch (error) {
      this.note(command, named.found, error);
      throw error;
    }
  }

  /** Null for a passkey that its owner's stream does not count. */
  private async find(hash: string): Promise<Found | null> {
    const { state } = await this.writePath.load(passkeys, 'platform', hash);
    if (state.status !== 'registered') return null;
    const { facts } = state;
    const { epoch } = await this.seats.of(facts.user_id);
    const person = await this.people.find(facts.user_id);
    const isCounted = person?.user.passkeys.some(({ id }) => id === facts.passkey_id) ?? false;
    return person && isCounted ? { facts, person, epoch } : null;
  }

  private async checkCounter(
    { client, requestId }: SignInByPasskey,
    hash: string,
    shown: number,
    { counter }: PasskeyRegistered['data'],
    { user: { merchant_id: merchantId } }: Person,
  ): Promise<void> {
    const seen = await this.uses.use(hash, counter, shown);
    if (seen === null) return;
    const nowMs = this.clock.now();
    const cause = { commandId: `${requestId}/regress`, merchantId, actor: SIGN_IN_ACTOR, requestId, nowMs };
    const command = { type: 'note_regress', seen, shown } as const;
    await this.writePath.execute(passkeys, hash, command, sessionContext({ ...cause, ip: client.ip }));
    throw rejected('counter_regressed');
  }

  private note({ client, requestId }: SignInByPasskey, found: Found | null, error: unknown): void {
    if (found === null || !isRefusal(error)) return;
    const { userId, user } = found.person;
    const reason = error.code === 'account_disabled' ? 'account_disabled' : 'passkey';
    if (reason === 'passkey' && error.code !== 'passkey_rejected') return;
    this.refusals.note({ userId, merchantId: user.merchant_id, email: user.email, reason, client, requestId });
  }
}
