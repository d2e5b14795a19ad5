import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { refuse } from '../../vocabulary/errors';
import { StartSignIn } from '../../modules/sessions/commands/sign-in.command';
import type { Person } from '../../modules/sessions/person';
import { Realms } from '../../modules/sessions/realms';
import { RefusedSignIns } from '../../modules/sessions/refused-sign-ins';
import { seatsIn } from '../../modules/sessions/session-seats';
import { SignInFailures } from '../../modules/sessions/sign-in-failures';
import type { SignInRefusalReason } from '../../modules/sessions/sign-in-refusals.events';
import type { GivenSession } from '../../modules/sessions/signed-in';
import { Passwords } from '../../modules/users/password';

@CommandHandler(StartSignIn)
export class StartSignInHandler implements ICommandHandler<StartSignIn> {
  constructor(
    private readonly realms: Realms,
    private readonly failures: SignInFailures,
    private readonly passwords: Passwords,
    private readonly refusals: RefusedSignIns,
  ) {}

  /**
   * An address without a user takes the same way as a wrong password: the same limits, readings and hash. The epoch is
   * read before the user, so a password that is changed meanwhile lets nobody in.
   */
  async execute(command: StartSignIn): Promise<GivenSession> {
    const { email, client, requestId, realm } = command;
    const { people, seats, granting } = this.realms.of(realm);
    const userId = people.idOfEmail(email.trim().normalize('NFC'));
    const attempt = await this.failures.begin(userId, client);
    const { epoch } = seatsIn(await seats.of(userId));
    const person = await people.find(userId);
    const isRight = await this.isRight(command, person).catch(async (error: unknown) => {
      await this.failures.takeBack(attempt);
      throw error;
    });
    if (person === null || !isRight) {
      if (person !== null) this.note(command, person, 'password');
      throw refuse('invalid_credentials');
    }
    await this.failures.takeBack(attempt);
    if (!person.isActive || person.isAccountDisabled) {
      this.note(command, person, 'account_disabled');
      throw refuse('account_disabled');
    }
    const { policy, merchantId } = person;
    const facts = { userId, merchantId, method: 'password', epoch, policy, client, requestId } as const;
    const stage = person.totpSecretSealed !== null ? 'code' : 'enrolment';
    return granting.step(stage, { ...facts, sessionId: granting.newSessionId() });
  }

  private isRight({ password, client: { ip } }: StartSignIn, person: Person | null): Promise<boolean> {
    const stored = person?.passwordHash ?? null;
    return stored === null ? this.passwords.matchNone(password, ip) : this.passwords.matches(password, stored, ip);
  }

  private note({ client, requestId, realm }: StartSignIn, person: Person, reason: SignInRefusalReason): void {
    const { userId, merchantId, email } = person;
    this.refusals.note({ realm, userId, merchantId, email, reason, client, requestId });
  }
}
