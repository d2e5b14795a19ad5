import { Controller, Get, Inject, Post, Query, Req, Res, type Type } from '@nestjs/common';
import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { PlatformContext } from '../../src/kernel/command-context';
import { AcceptAdminInvitation } from '../../src/modules/admins/commands/manage-admins.command';
import { AcceptInvitation, AskForReset, ResetPassword } from '../../src/modules/users/commands/sign-up.command';
import { FindInvitation } from '../../src/modules/users/queries/find-invitation.query';
import type { ApiRequest } from '../../src/platform/http/caller';
import { SentForm, TakesForm, type FormBody } from '../../src/platform/http/form-body';
import type { RealmName } from '../../src/vocabulary/realms';
import { LAST_MAIL, type LastMail } from '../http/last-mail';
import type { ServedRealm } from '../http/served-realm';
import type { SignedPages } from '../http/signed-pages';
import { putMail, takeToken, tokenIn, type TokenQuery } from './mailed-link';
import { InvitationPage, NewPasswordPage, ResetPage } from './mailed-links.page';

type Joining = (
  ...facts: readonly [token: string, name: string, password: string, context: PlatformContext<'platform'>]
) => Command<unknown>;

const JOIN: Readonly<Record<RealmName, Joining>> = {
  merchant: (...facts) => new AcceptInvitation(...facts),
  admin: (...facts) => new AcceptAdminInvitation(...facts),
};

/** The pages of mailed links: an invitation, and a new password. A page takes nothing; its form takes the token. */
export function mailedLinksControllerOf({ realm, path, pages: pagesOf }: ServedRealm): Type<object> {
  @Controller(path)
  class MailedLinksController {
    constructor(
      @Inject(pagesOf) private readonly pages: SignedPages,
      private readonly commands: CommandBus,
      private readonly queries: QueryBus,
      @Inject(LAST_MAIL) private readonly mails: LastMail,
    ) {}

    @Get('reset')
    async showReset(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.pages.send({ request, reply }, h(ResetPage, {}));
    }

    @Post('reset')
    @TakesForm('email')
    async reset(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const { pages, mails } = this;
      await putMail({ pages, mails }, { request, reply }, form, ResetPage, context =>
        this.commands.execute(new AskForReset(form.email ?? '', context, realm.name)),
      );
    }

    @Get('new-password')
    async showReplacing(
      @Query() query: TokenQuery,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      await this.pages.send({ request, reply }, h(NewPasswordPage, tokenIn(query)));
    }

    @Post('new-password')
    @TakesForm('token', 'password')
    async replace(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const { password = '' } = form;
      await takeToken(this.pages, { request, reply }, form, NewPasswordPage, 'renewed', context =>
        this.commands.execute(new ResetPassword(tokenIn(form).token, password, context, realm.name)),
      );
    }

    @Get('invitation')
    async showInvitation(
      @Query() query: TokenQuery,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      const page = () => this.pages.send(asked, h(InvitationPage, tokenIn(query)));
      await this.pages.orAgain(asked, {}, page, async () => {
        await this.queries.execute(new FindInvitation(tokenIn(query).token, request.id, realm.name));
        await page();
      });
    }

    @Post('invitation')
    @TakesForm('token', 'name', 'password')
    async join(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const { name = '', password = '' } = form;
      await takeToken(this.pages, { request, reply }, form, InvitationPage, 'opened', context =>
        this.commands.execute(JOIN[realm.name](tokenIn(form).token, name, password, context)),
      );
    }
  }
  return MailedLinksController;
}
