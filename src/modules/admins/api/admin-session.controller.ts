import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AdminEntry, AdminRoute, CurrentAdmin, StagedAdminRoute } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { ApiReply, ApiRequest } from '../../../platform/http/caller';
import { clientIp, clientOf } from '../../../platform/http/client-ip';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ADMIN_COOKIE } from '../../../platform/http/session-cookie';
import { OfferPasskeySignIn } from '../../passkeys/commands/offer-passkey.command';
import { EndOwnSessions, StepUp } from '../../sessions/commands/session.command';
import {
  ConfirmSignIn,
  EndOldestSession,
  RecoverSignIn,
  SignInByPasskey,
  StartSignIn,
} from '../../sessions/commands/sign-in.command';
import { ListSessions } from '../../sessions/queries/list-sessions.query';
import type { ListedSession } from '../../sessions/queries/listed-session';
import type { OpenSession } from '../../sessions/session-authentication';
import {
  ADMIN_SESSION_OPERATIONS,
  CodeDto,
  CredentialDto,
  PasswordDto,
  type AdminSessionResource,
} from './admin-session.contract';
import { AdminSessions } from './admin-sessions';

const OK = 200;
const NO_CONTENT = 204;

/** The sessions of administrators. A step of a sign-in answers the next stage, with the cookie of its secret. */
@Tagged('Own account')
@Controller('admin')
export class AdminSessionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sessions: AdminSessions,
  ) {}

  @Post('session')
  @HttpCode(OK)
  @AdminEntry()
  @Documented(ADMIN_SESSION_OPERATIONS.start)
  async start(
    @Body() { email, password }: PasswordDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const command = new StartSignIn(email, password, clientOf(request), request.id, 'admin');
    return this.sessions.step(reply, await this.commands.execute(command));
  }

  @Post('session/code')
  @HttpCode(OK)
  @StagedAdminRoute('code')
  @Documented(ADMIN_SESSION_OPERATIONS.confirm)
  async confirm(
    @CurrentAdmin() { open }: AdmittedAdmin<OpenSession>,
    @Body() { code }: CodeDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const command = new ConfirmSignIn(open, code, clientOf(request), request.id);
    return this.sessions.step(reply, await this.commands.execute(command));
  }

  @Post('session/recovery-code')
  @HttpCode(OK)
  @StagedAdminRoute('code')
  @Documented(ADMIN_SESSION_OPERATIONS.recover)
  async recover(
    @CurrentAdmin() { open }: AdmittedAdmin<OpenSession>,
    @Body() { code }: CodeDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const command = new RecoverSignIn(open, code, clientOf(request), request.id);
    return this.sessions.step(reply, await this.commands.execute(command));
  }

  @Post('session/end-oldest')
  @HttpCode(OK)
  @StagedAdminRoute('choice')
  @Documented(ADMIN_SESSION_OPERATIONS.endOldest)
  async endOldest(
    @CurrentAdmin() { open }: AdmittedAdmin<OpenSession>,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const command = new EndOldestSession(open, clientOf(request), request.id);
    return this.sessions.step(reply, await this.commands.execute(command));
  }

  @Post('session/passkey/options')
  @HttpCode(OK)
  @AdminEntry()
  @Documented(ADMIN_SESSION_OPERATIONS.offerPasskey)
  offerPasskey(@Req() request: ApiRequest) {
    return this.commands.execute(new OfferPasskeySignIn('admin', clientIp(request)));
  }

  @Post('session/passkey')
  @HttpCode(OK)
  @AdminEntry()
  @Documented(ADMIN_SESSION_OPERATIONS.passkey)
  async passkey(
    @Body() { credential }: CredentialDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const command = new SignInByPasskey(credential, clientOf(request), request.id, 'admin');
    return this.sessions.step(reply, await this.commands.execute(command));
  }

  @Get('session')
  @StagedAdminRoute('code', 'choice', 'enrolment', 'full')
  @Documented(ADMIN_SESSION_OPERATIONS.show)
  show(@CurrentAdmin() admin: AdmittedAdmin): Promise<AdminSessionResource> {
    return this.sessions.shown(admin);
  }

  /** Shows a fresh code: the session goes on under a new secret. */
  @Post('session/step-up')
  @HttpCode(OK)
  @AdminRoute({ permission: null })
  @Documented(ADMIN_SESSION_OPERATIONS.stepUp)
  async stepUp(
    @CurrentAdmin() { open, context }: AdmittedAdmin<OpenSession>,
    @Body() { code }: CodeDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ) {
    const { commandId } = context;
    const command = new StepUp(open, code, 'session', commandId, clientOf(request), request.id, null);
    return this.sessions.step(reply, await this.commands.execute(command));
  }

  @Delete('session')
  @HttpCode(NO_CONTENT)
  @StagedAdminRoute('code', 'choice', 'enrolment', 'full')
  @Documented(ADMIN_SESSION_OPERATIONS.signOut)
  async signOut(
    @CurrentAdmin() admin: AdmittedAdmin<OpenSession>,
    @Res({ passthrough: true }) reply: ApiReply,
  ): Promise<void> {
    await this.end(admin, admin.sessionId, 'signed_out');
    void reply.header('set-cookie', ADMIN_COOKIE.gone);
  }

  @Get('sessions')
  @AdminRoute({ permission: null })
  @Documented(ADMIN_SESSION_OPERATIONS.list)
  async list(
    @CurrentAdmin() { open }: AdmittedAdmin<OpenSession>,
  ): Promise<{ readonly data: readonly ListedSession[] }> {
    return { data: await this.queries.execute(new ListSessions(open)) };
  }

  @Delete('sessions/:id')
  @HttpCode(NO_CONTENT)
  @AdminRoute({ permission: null })
  @Documented(ADMIN_SESSION_OPERATIONS.endOne)
  async endOne(@CurrentAdmin() admin: AdmittedAdmin<OpenSession>, @Param('id') id: string): Promise<void> {
    await this.end(admin, id, id === admin.sessionId ? 'signed_out' : 'other_device');
  }

  private async end(
    { open, context }: AdmittedAdmin<OpenSession>,
    only: string,
    how: EndOwnSessions['how'],
  ): Promise<void> {
    const { ip, requestId } = context;
    await this.commands.execute(new EndOwnSessions(open, { only }, how, { ip, requestId }));
  }
}
