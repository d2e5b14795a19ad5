import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { refuse } from '../../vocabulary/errors';
import { StartSignIn } from '../../modules/sessions/commands/sign-in.command';
import { StoredPeople, type Person } from '../../modules/sessions/person';
import { RefusedSignIns } from '../../modules/sessions/refused-sign-ins';
import { SessionGranting } from '../../modules/sessions/session-granting';
import { SessionSeats } from '../../modules/sessions/session-seats';
import { SignInFailures } from '../../modules/sessions/sign-in-failures';
import type { SignInRefusalReason } from '../../modules/sessions/sign-in-refusals.events';
import type { GivenSession } from '../../modules/sessions/signed-in';
import { Passwords } from '../../modules/users/password';
import { userIdOfEmail } from '../../modules/users/user.decider';

@CommandHandler(StartSignIn)
export class StartSignInHandler implements ICommandHandler<StartSignIn> {
  constructor(
    private readonly people: StoredPeople,
    private readonly seats: SessionSeats,
    private readonly failures: SignInFailures,
    private readonly passwords: Passwords,
    private readonly granting: SessionGranting,
    private readonly refusals: RefusedSignIns,
  ) {}

  /**
   * An address without a user takes the same way as a wrong password: the same limits, readings and hash. The epoch is
   * read before the user, so a password that is changed meanwhile lets nobody in.
   */
  async execute(command: StartSignIn): Promise<GivenSession> {
    const { email, client, requestId } = command;
    const userId = userIdOfEmail(email.trim().normalize('NFC'));
    const attempt = await this.failures.begin(userId, client);
    const { epoch } = await this.seats.of(userId);
    const person = await this.people.find(userId);
    const isRight = await this.isRight(command, person).catch(async (error: unknown) => {
      await this.failures.takeBack(attempt);
      throw error;
    });
    if (person === null || !isRight) {
      if (person !== null) this.note(command, person, 'password');
      throw refuse('invalid_credentials');
    }
    await this.failures.takeBack(attempt);
    if (person.user.status !== 'active' || person.merchant.status === 'disabled') {
      this.note(command, person, 'account_disabled');
      throw refuse('account_disabled');
    }
    const { policy, user } = person;
    const merchantId = user.merchant_id;
    const facts = { userId, merchantId, method: 'password', epoch, policy, client, requestId } as const;
    const stage = user.totp_secret_sealed === null ? 'enrolment' : 'code';
    return this.granting.step(stage, { ...facts, sessionId: this.granting.newSessionId() });
  }

  private isRight({ password, client: { ip } }: StartSignIn, person: Person | null): Promise<boolean> {
    const stored = person?.user.password_hash ?? null;
    return stored === null ? this.passwords.matchNone(password, ip) : this.passwords.matches(password, stored, ip);
  }

  private note({ client, requestId }: StartSignIn, { userId, user }: Person, reason: SignInRefusalReason): void {
    const { merchant_id: merchantId, email } = user;
    this.refusals.note({ userId, merchantId, email, reason, client, requestId });
  }
}
