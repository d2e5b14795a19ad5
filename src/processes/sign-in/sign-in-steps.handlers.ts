import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../kernel/clock';
import { PORTS } from '../../kernel/ports/injection';
import { refuse } from '../../vocabulary/errors';
import { realmOf } from '../../vocabulary/realms';
import {
  ConfirmSignIn,
  EndOldestSession,
  FinishEnrolment,
  RecoverSignIn,
} from '../../modules/sessions/commands/sign-in.command';
import { Realms } from '../../modules/sessions/realms';
import { isOvertaken } from '../../modules/sessions/session-authentication';
import { PERSON_ACTORS, sessionContext } from '../../modules/sessions/session-context';
import type { GivenSession } from '../../modules/sessions/signed-in';
import { checkStage, factsOf, withoutAuthenticator } from '../../modules/sessions/signed-in-session';
import { UseRecoveryCode } from '../../modules/users/commands/own-account.command';
import { TotpVerifier } from '../../modules/users/totp-verifier';
import { SecondFactors } from './second-factor';

@CommandHandler(ConfirmSignIn)
export class ConfirmSignInHandler implements ICommandHandler<ConfirmSignIn> {
  constructor(
    private readonly realms: Realms,
    private readonly codes: TotpVerifier,
    private readonly factors: SecondFactors,
  ) {}

  async execute({ open, code, client, requestId }: ConfirmSignIn): Promise<GivenSession> {
    checkStage(open, 'code');
    const shown = code.trim();
    if (shown === '') throw refuse('mfa_required');
    const { session, seats, person } = open;
    const proof = { keyId: session.body.session_id, action: 'session.start', code: shown, commandId: requestId };
    const judge = () => this.codes.verifyOf(person, proof);
    await this.factors.judge({ open, client, requestId, reason: 'code' }, judge);
    const { granting } = this.realms.of(realmOf(person.userId));
    await granting.finish(session);
    return granting.full(factsOf(open, client, requestId), seats);
  }
}

@CommandHandler(RecoverSignIn)
export class RecoverSignInHandler implements ICommandHandler<RecoverSignIn> {
  constructor(
    private readonly realms: Realms,
    private readonly factors: SecondFactors,
    private readonly commands: CommandBus,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ open, recoveryCode, client, requestId }: RecoverSignIn): Promise<GivenSession> {
    checkStage(open, 'code');
    const { userId } = open.person;
    const realm = realmOf(userId);
    const commandId = `${requestId}/recovery`;
    const { merchant_id: merchantId } = open.session.body;
    const cause = { commandId, merchantId, actor: PERSON_ACTORS[realm](userId), ip: client.ip, requestId };
    const context = sessionContext({ ...cause, nowMs: this.clock.now() });
    await this.factors.judge({ open, client, requestId, reason: 'recovery_code' }, () =>
      this.commands.execute(new UseRecoveryCode(userId, recoveryCode, context, realm)),
    );
    const { granting } = this.realms.of(realm);
    await granting.finish(open.session);
    return granting.step('enrolment', { ...factsOf(open, client, requestId), method: 'recovery_code' });
  }
}

@CommandHandler(FinishEnrolment)
export class FinishEnrolmentHandler implements ICommandHandler<FinishEnrolment> {
  constructor(private readonly realms: Realms) {}

  /** After a recovery there is a former authenticator, so only one that was enrolled since then counts. */
  async execute({ open, client, requestId }: FinishEnrolment): Promise<GivenSession> {
    const { authentication, granting } = this.realms.of(realmOf(open.person.userId));
    checkStage(open, 'enrolment');
    const enrolled = await authentication.afterEnrolment(open, client);
    if (!isOvertaken(open.session, enrolled.person)) throw withoutAuthenticator();
    await granting.finish(open.session);
    return granting.full(factsOf(enrolled, client, requestId), open.seats);
  }
}

@CommandHandler(EndOldestSession)
export class EndOldestSessionHandler implements ICommandHandler<EndOldestSession> {
  constructor(private readonly realms: Realms) {}

  async execute({ open, client, requestId }: EndOldestSession): Promise<GivenSession> {
    const { granting } = this.realms.of(realmOf(open.person.userId));
    checkStage(open, 'choice');
    await granting.finish(open.session);
    return granting.full(factsOf(open, client, requestId), open.seats, true);
  }
}
