import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../kernel/clock';
import { userActor } from '../../kernel/command-context';
import { PORTS } from '../../kernel/ports/injection';
import { refuse } from '../../vocabulary/errors';
import {
  ConfirmSignIn,
  EndOldestSession,
  FinishEnrolment,
  RecoverSignIn,
} from '../../modules/sessions/commands/sign-in.command';
import { isOvertaken, SessionAuthentication } from '../../modules/sessions/session-authentication';
import { sessionContext } from '../../modules/sessions/session-context';
import { SessionGranting } from '../../modules/sessions/session-granting';
import type { GivenSession } from '../../modules/sessions/signed-in';
import { checkStage, factsOf } from '../../modules/sessions/signed-in-session';
import { UseRecoveryCode } from '../../modules/users/commands/own-account.command';
import { TotpVerifier } from '../../modules/users/totp-verifier';
import { SecondFactors } from './second-factor';

@CommandHandler(ConfirmSignIn)
export class ConfirmSignInHandler implements ICommandHandler<ConfirmSignIn> {
  constructor(
    private readonly authentication: SessionAuthentication,
    private readonly factors: SecondFactors,
    private readonly codes: TotpVerifier,
    private readonly granting: SessionGranting,
  ) {}

  async execute({ secret, code, client, requestId }: ConfirmSignIn): Promise<GivenSession> {
    const open = await this.authentication.find(secret, client);
    checkStage(open, 'code');
    const shown = code.trim();
    if (shown === '') throw refuse('mfa_required');
    const { session_id: keyId, merchant_id: merchantId } = open.session.body;
    const { userId } = open.person;
    const proof = { merchantId, keyId, action: 'session.start', userId, code: shown, commandId: requestId };
    await this.factors.judge({ open, client, requestId, reason: 'code' }, () => this.codes.verify(proof));
    await this.granting.finish(open.session);
    return this.granting.full(factsOf(open, client, requestId));
  }
}

@CommandHandler(RecoverSignIn)
export class RecoverSignInHandler implements ICommandHandler<RecoverSignIn> {
  constructor(
    private readonly authentication: SessionAuthentication,
    private readonly factors: SecondFactors,
    private readonly commands: CommandBus,
    private readonly granting: SessionGranting,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ secret, recoveryCode, client, requestId }: RecoverSignIn): Promise<GivenSession> {
    const open = await this.authentication.find(secret, client);
    checkStage(open, 'code');
    const { userId } = open.person;
    const commandId = `${requestId}/recovery`;
    const { merchant_id: merchantId } = open.session.body;
    const cause = { commandId, merchantId, actor: userActor(userId), ip: client.ip, requestId };
    const context = sessionContext({ ...cause, nowMs: this.clock.now() });
    await this.factors.judge({ open, client, requestId, reason: 'recovery_code' }, () =>
      this.commands.execute(new UseRecoveryCode(userId, recoveryCode, context)),
    );
    await this.granting.finish(open.session);
    return this.granting.step('enrolment', { ...factsOf(open, client, requestId), method: 'recovery_code' });
  }
}

@CommandHandler(FinishEnrolment)
export class FinishEnrolmentHandler implements ICommandHandler<FinishEnrolment> {
  constructor(
    private readonly authentication: SessionAuthentication,
    private readonly granting: SessionGranting,
  ) {}

  /** After a recovery there is a former authenticator, so only one that was enrolled since then counts. */
  async execute({ secret, client, requestId }: FinishEnrolment): Promise<GivenSession> {
    const open = await this.authentication.find(secret, client, true);
    checkStage(open, 'enrolment');
    if (!isOvertaken(open.session, open.person)) throw refuse('mfa_required');
    await this.granting.finish(open.session);
    return this.granting.full(factsOf(open, client, requestId));
  }
}

@CommandHandler(EndOldestSession)
export class EndOldestSessionHandler implements ICommandHandler<EndOldestSession> {
  constructor(
    private readonly authentication: SessionAuthentication,
    private readonly granting: SessionGranting,
  ) {}

  async execute({ secret, client, requestId }: EndOldestSession): Promise<GivenSession> {
    const open = await this.authentication.find(secret, client);
    checkStage(open, 'choice');
    await this.granting.finish(open.session);
    return this.granting.full(factsOf(open, client, requestId), true);
  }
}
