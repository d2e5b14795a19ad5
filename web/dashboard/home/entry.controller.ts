import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { EndSessions } from '../../../src/modules/sessions/commands/session.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { clientIp } from '../../../src/platform/http/client-ip';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage, StagedForm } from '../../http/signed-in';
import { NoPage } from '../../page-routes';

/** The ways into the dashboard and out of it. */
@Controller('dashboard')
export class EntryController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @NoPage()
  @SignedInPage(null)
  enter(@Req() request: ApiRequest, @Res() reply: FastifyReply): void {
    this.pages.leadTo({ request, reply }, '');
  }

  @Post('sign-out')
  @StagedForm(['code', 'choice', 'enrolment', 'full'])
  async signOut(
    @CurrentPerson() { userId, sessionId }: Person,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    const from = { ip: clientIp(request), requestId: request.id };
    await this.commands.execute(new EndSessions(userId, { only: sessionId }, 'signed_out', from));
    this.pages.forgetSession(asked);
    this.pages.leadTo(asked, '/dashboard/sign-in');
  }
}
