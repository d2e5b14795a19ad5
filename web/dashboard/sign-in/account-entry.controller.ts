import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { AskToSignUp, OpenAccount } from '../../../src/modules/users/commands/sign-up.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, TakesForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import { LAST_MAIL, type LastMail } from '../../http/last-mail';
import { putMail, takeToken, tokenIn, type TokenQuery } from '../../sign-in/mailed-link';
import { OpenAccountPage, SignUpPage } from './account-entry.page';

/** The way of a stranger to an account. */
@Controller('dashboard')
export class AccountEntryController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    @Inject(LAST_MAIL) private readonly mails: LastMail,
  ) {}

  @Get('sign-up')
  async showSignUp(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(SignUpPage, {}));
  }

  @Post('sign-up')
  @TakesForm('business', 'name', 'email')
  async signUp(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { business = '', name = '', email = '' } = form;
    const { pages, mails } = this;
    await putMail({ pages, mails }, { request, reply }, form, SignUpPage, context =>
      this.commands.execute(new AskToSignUp(business, name, email, context)),
    );
  }

  @Get('open-account')
  async showOpening(@Query() query: TokenQuery, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(OpenAccountPage, tokenIn(query)));
  }

  @Post('open-account')
  @TakesForm('token', 'password')
  async open(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { password = '' } = form;
    await takeToken(this.pages, { request, reply }, form, OpenAccountPage, 'opened', context =>
      this.commands.execute(new OpenAccount(tokenIn(form).token, password, context)),
    );
  }
}
