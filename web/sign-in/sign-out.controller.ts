import { Controller, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { EndOwnSessions } from '../../src/modules/sessions/commands/session.command';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import type { SignedInPerson } from '../http/person';
import type { ServedRealm } from '../http/served-realm';
import { CurrentPerson, StagedForm } from '../http/signed-in';
import type { SignedPages } from '../http/signed-pages';

/** The way out, from any stage of a session. */
export function signOutControllerOf({ realm, path, pages: pagesOf }: ServedRealm): Type<object> {
  @Controller(path)
  class SignOutController {
    constructor(
      @Inject(pagesOf) private readonly pages: SignedPages,
      private readonly commands: CommandBus,
    ) {}

    @Post('sign-out')
    @StagedForm(realm.name, ['code', 'choice', 'enrolment', 'full'])
    async signOut(
      @CurrentPerson() { open, sessionId }: SignedInPerson,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      const from = { ip: clientIp(request), requestId: request.id };
      await this.commands.execute(new EndOwnSessions(open, { only: sessionId }, 'signed_out', from));
      this.pages.forgetSession(asked);
      this.pages.leadTo(asked, `${realm.place}/sign-in`);
    }
  }
  return SignOutController;
}
