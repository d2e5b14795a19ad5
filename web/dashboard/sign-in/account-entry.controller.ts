import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h, type FunctionComponent } from 'preact';
import type { PlatformContext } from '../../../src/kernel/command-context';
import {
  AcceptInvitation,
  AskForReset,
  AskToSignUp,
  OpenAccount,
  ResetPassword,
} from '../../../src/modules/users/commands/sign-up.command';
import { FindInvitation } from '../../../src/modules/users/queries/find-invitation.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, TakesForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import { LAST_MAIL, type LastMail } from '../../http/last-mail';
import type { Asked } from '../../http/visits';
import {
  InvitationPage,
  MailSentPage,
  NewPasswordPage,
  OpenAccountPage,
  ResetPage,
  SignUpPage,
  type TokenProps,
} from './account-entry.page';

type TokenQuery = { readonly token?: string };
type Effect = (context: PlatformContext<'platform'>) => Promise<unknown>;

/**
 * The ways to an account and to a new password, all by a mailed link. A link's page takes nothing; its form takes the
 * token.
 */
@Controller('dashboard')
export class AccountEntryController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
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
    await this.mail({ request, reply }, form, SignUpPage, context =>
      this.commands.execute(new AskToSignUp(business, name, email, context)),
    );
  }

  @Get('reset')
  async showReset(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(ResetPage, {}));
  }

  @Post('reset')
  @TakesForm('email')
  async reset(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.mail({ request, reply }, form, ResetPage, context =>
      this.commands.execute(new AskForReset(form.email ?? '', context)),
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
    await this.take({ request, reply }, form, OpenAccountPage, 'opened', context =>
      this.commands.execute(new OpenAccount(tokenIn(form).token, password, context)),
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
    await this.take({ request, reply }, form, NewPasswordPage, 'renewed', context =>
      this.commands.execute(new ResetPassword(tokenIn(form).token, password, context)),
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
      await this.queries.execute(new FindInvitation(tokenIn(query).token, request.id));
      await page();
    });
  }

  @Post('invitation')
  @TakesForm('token', 'name', 'password')
  async join(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { name = '', password = '' } = form;
    await this.take({ request, reply }, form, InvitationPage, 'opened', context =>
      this.commands.execute(new AcceptInvitation(tokenIn(form).token, name, password, context)),
    );
  }

  /** Puts a mail. The page after it says the same for every address. */
  private async mail(asked: Asked, form: FormBody, page: FunctionComponent, put: Effect): Promise<void> {
    await this.pages.orAgain(
      asked,
      form,
      () => this.pages.send(asked, h(page, {})),
      async () => {
        await put(this.pages.strangerContext(asked.request));
        await this.pages.send(asked, h(MailSentPage, { mail: await this.mails.to(form.email ?? '') }));
      },
    );
  }

  /** Takes the token of a mailed link, and leads to signing in. */
  private async take(
    asked: Asked,
    form: FormBody,
    page: FunctionComponent<TokenProps>,
    reason: 'opened' | 'renewed',
    effect: Effect,
  ): Promise<void> {
    await this.pages.orAgain(
      asked,
      form,
      () => this.pages.send(asked, h(page, tokenIn(form))),
      async () => {
        await effect(this.pages.strangerContext(asked.request));
        this.pages.leadTo(asked, `/dashboard/sign-in?ended=${reason}`);
      },
    );
  }
}

function tokenIn({ token = '' }: TokenQuery): TokenProps {
  return { token };
}
