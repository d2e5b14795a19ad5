import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../kernel/clock';
import { PORTS } from '../../kernel/ports/injection';
import { refuse } from '../../vocabulary/errors';
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
import { SecondFactors } from './second-factor';

@CommandHandler(ConfirmSignIn)
export class ConfirmSignInHandler implements ICommandHandler<ConfirmSignIn> {
  constructor(
    private readonly realms: Realms,
    private readonly factors: SecondFactors,
  ) {}

  async execute({ secret, code, client, requestId, realm }: ConfirmSignIn): Promise<GivenSession> {
    const { authentication, granting, codes } = this.realms.of(realm);
    const open = await authentication.find(secret, client);
    checkStage(open, 'code');
    const shown = code.trim();
    if (shown === '') throw refuse('mfa_required');
    const { session_id: keyId, merchant_id: merchantId } = open.session.body;
    const { userId } = open.person;
    const proof = { merchantId, keyId, action: 'session.start', userId, code: shown, commandId: requestId };
    await this.factors.judge({ realm, open, client, requestId, reason: 'code' }, () => codes.verify(proof));
    await granting.finish(open.session);
    return granting.full(factsOf(open, client, requestId));
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

  async execute({ secret, recoveryCode, client, requestId, realm }: RecoverSignIn): Promise<GivenSession> {
    const { authentication, granting } = this.realms.of(realm);
    const open = await authentication.find(secret, client);
    checkStage(open, 'code');
    const { userId } = open.person;
    const commandId = `${requestId}/recovery`;
    const { merchant_id: merchantId } = open.session.body;
    const cause = { commandId, merchantId, actor: PERSON_ACTORS[realm](userId), ip: client.ip, requestId };
    const context = sessionContext({ ...cause, nowMs: this.clock.now() });
    await this.factors.judge({ realm, open, client, requestId, reason: 'recovery_code' }, () =>
      this.commands.execute(new UseRecoveryCode(userId, recoveryCode, context, realm)),
    );
    await granting.finish(open.session);
    return granting.step('enrolment', { ...factsOf(open, client, requestId), method: 'recovery_code' });
  }
}

@CommandHandler(FinishEnrolment)
export class FinishEnrolmentHandler implements ICommandHandler<FinishEnrolment> {
  constructor(private readonly realms: Realms) {}

  /** After a recovery there is a former authenticator, so only one that was enrolled since then counts. */
  async execute({ secret, client, requestId, realm }: FinishEnrolment): Promise<GivenSession> {
    const { authentication, granting } = this.realms.of(realm);
    const open = await authentication.find(secret, client, true);
    checkStage(open, 'enrolment');
    if (!isOvertaken(open.session, open.person)) throw withoutAuthenticator();
    await granting.finish(open.session);
    return granting.full(factsOf(open, client, requestId));
  }
}

@CommandHandler(EndOldestSession)
export class EndOldestSessionHandler implements ICommandHandler<EndOldestSession> {
  constructor(private readonly realms: Realms) {}

  async execute({ secret, client, requestId, realm }: EndOldestSession): Promise<GivenSession> {
    const { authentication, granting } = this.realms.of(realm);
    const open = await authentication.find(secret, client);
    checkStage(open, 'choice');
    await granting.finish(open.session);
    return granting.full(factsOf(open, client, requestId), true);
  }
}
