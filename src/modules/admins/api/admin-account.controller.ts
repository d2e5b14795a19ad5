import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AdminEntry, AdminRoute, CurrentAdmin, StagedAdminRoute } from '../../../platform/http/admin-admission';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { ApiReply, ApiRequest } from '../../../platform/http/caller';
import { clientOf } from '../../../platform/http/client-ip';
import { OfferPasskeyRegistration } from '../../passkeys/commands/offer-passkey.command';
import { RegisterPasskey, RemovePasskey } from '../../passkeys/commands/own-passkeys.command';
import { ListPasskeys } from '../../passkeys/queries/list-passkeys.query';
import { FinishEnrolment } from '../../sessions/commands/sign-in.command';
import type { OpenSession } from '../../sessions/session-authentication';
import { ChangePassword, EnrolTotp, MakeRecoveryCodes, OfferTotp } from '../../users/commands/own-account.command';
import { AskForReset, ResetPassword } from '../../users/commands/sign-up.command';
import { AcceptAdminInvitation } from '../commands/manage-admins.command';
import { ADMIN_ACCOUNT_OPERATIONS } from './admin-account.contract';
import {
  CodeDto,
  InvitationDto,
  NewPasskeyDto,
  NewPasswordDto,
  ResetDto,
  ResetRequestDto,
} from './admin-session.contract';
import { AdminSessions } from './admin-sessions';
import { SessionAdminAdmission } from './session-admin-admission';

const OK = 200;
const ACCEPTED = 202;
const NO_CONTENT = 204;

/** The administrator's own means to sign in. */
@Tagged('Own account')
@Controller('admin')
export class AdminAccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sessions: AdminSessions,
    private readonly admission: SessionAdminAdmission,
  ) {}

  @Post('invitations/accept')
  @HttpCode(NO_CONTENT)
  @AdminEntry()
  @Documented(ADMIN_ACCOUNT_OPERATIONS.accept)
  async accept(@Body() { token, name, password }: InvitationDto, @Req() request: ApiRequest): Promise<void> {
    const context = this.admission.strangerContext(request);
    await this.commands.execute(new AcceptAdminInvitation(token, name, password, context));
  }

  @Post('password/reset-requests')
  @HttpCode(ACCEPTED)
  @AdminEntry()
  @Documented(ADMIN_ACCOUNT_OPERATIONS.askForReset)
  async askForReset(@Body() { email }: ResetRequestDto, @Req() request: ApiRequest): Promise<void> {
    await this.commands.execute(new AskForReset(email, this.admission.strangerContext(request), 'admin'));
  }

  @Post('password/reset')
  @HttpCode(NO_CONTENT)
  @AdminEntry()
  @Documented(ADMIN_ACCOUNT_OPERATIONS.reset)
  async reset(@Body() { token, password }: ResetDto, @Req() request: ApiRequest): Promise<void> {
    await this.commands.execute(new ResetPassword(token, password, this.admission.strangerContext(request), 'admin'));
  }

  @Post('password')
  @HttpCode(NO_CONTENT)
  @AdminRoute({ permission: null })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.changePassword)
  async changePassword(
    @CurrentAdmin() { open, context }: AdmittedAdmin<OpenSession>,
    @Body() { present_password: present, password }: NewPasswordDto,
  ): Promise<void> {
    await this.commands.execute(new ChangePassword(open, present, password, context));
  }

  /** The secret of a first authenticator, or of one after a recovery. */
  @Post('authenticator/offer')
  @HttpCode(OK)
  @StagedAdminRoute('enrolment')
  @Documented(ADMIN_ACCOUNT_OPERATIONS.offer)
  offer(@CurrentAdmin() { admin, email, sessionId, context }: AdmittedAdmin) {
    return this.commands.execute(new OfferTotp({ userId: admin.id, sessionId }, email, context, 'admin'));
  }

  /** Enrols the secret by its first code, and signs in. The recovery codes are shown this once. */
  @Post('authenticator')
  @HttpCode(OK)
  @StagedAdminRoute('enrolment')
  @Documented(ADMIN_ACCOUNT_OPERATIONS.enrol)
  async enrol(
    @CurrentAdmin() { admin, sessionId, open, context }: AdmittedAdmin<OpenSession>,
    @Body() { code }: CodeDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const holder = { userId: admin.id, sessionId };
    const { recoveryCodes } = await this.commands.execute(new EnrolTotp(holder, code.trim(), context, 'admin'));
    const finish = new FinishEnrolment(open, clientOf(request), request.id);
    const step = await this.sessions.step(reply, await this.commands.execute(finish));
    return { ...step, recovery_codes: recoveryCodes };
  }

  @Post('authenticator/replacement/offer')
  @HttpCode(OK)
  @AdminRoute({ permission: null, highRisk: 'authenticator.replace' })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.offerReplacement)
  offerReplacement(@CurrentAdmin() { admin, email, sessionId, context }: AdmittedAdmin) {
    return this.commands.execute(new OfferTotp({ userId: admin.id, sessionId }, email, context, 'admin'));
  }

  @Post('authenticator/replacement')
  @HttpCode(NO_CONTENT)
  @AdminRoute({ permission: null })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.replace)
  async replace(
    @CurrentAdmin() { admin, sessionId, context }: AdmittedAdmin,
    @Body() { code }: CodeDto,
  ): Promise<void> {
    await this.commands.execute(new EnrolTotp({ userId: admin.id, sessionId }, code.trim(), context, 'admin'));
  }

  @Post('recovery-codes')
  @HttpCode(OK)
  @AdminRoute({ permission: null, highRisk: 'recovery_codes.make' })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.makeRecoveryCodes)
  async makeRecoveryCodes(@CurrentAdmin() { admin, context }: AdmittedAdmin) {
    const { recoveryCodes } = await this.commands.execute(new MakeRecoveryCodes(admin.id, context, 'admin'));
    return { recovery_codes: recoveryCodes };
  }

  @Get('passkeys')
  @AdminRoute({ permission: null })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.passkeys)
  async passkeys(@CurrentAdmin() { open }: AdmittedAdmin<OpenSession>) {
    return { data: await this.queries.execute(new ListPasskeys(open.person.passkeys)) };
  }

  @Post('passkeys/options')
  @HttpCode(OK)
  @AdminRoute({ permission: null, highRisk: 'passkey.add' })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.offerPasskey)
  offerPasskey(@CurrentAdmin() { open }: AdmittedAdmin<OpenSession>) {
    return this.commands.execute(new OfferPasskeyRegistration(open.person));
  }

  @Post('passkeys')
  @HttpCode(OK)
  @AdminRoute({ permission: null })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.addPasskey)
  addPasskey(@CurrentAdmin() { admin, context }: AdmittedAdmin, @Body() { credential, name }: NewPasskeyDto) {
    return this.commands.execute(new RegisterPasskey(admin.id, credential, name, context));
  }

  @Post('passkeys/:id/remove')
  @HttpCode(NO_CONTENT)
  @AdminRoute({ permission: null, highRisk: 'passkey.remove' })
  @Documented(ADMIN_ACCOUNT_OPERATIONS.removePasskey)
  async removePasskey(@CurrentAdmin() { admin, context }: AdmittedAdmin, @Param('id') id: string): Promise<void> {
    await this.commands.execute(new RemovePasskey(admin.id, id, context));
  }
}
