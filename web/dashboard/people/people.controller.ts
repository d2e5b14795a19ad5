import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { AccountContext } from '../../../src/kernel/command-context';
import {
  ChangeRole,
  DisableUser,
  EnableUser,
  InviteUser,
  WithdrawInvitation,
} from '../../../src/modules/users/commands/manage-users.command';
import { GetUser, GetUserEmail } from '../../../src/modules/users/queries/get-user.query';
import { ListUsers } from '../../../src/modules/users/queries/list-users.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { permits } from '../../../src/vocabulary/roles';
import { DashboardPages } from '../../http/dashboard-pages';
import { LAST_MAIL, type LastMail } from '../../http/last-mail';
import { inOwnFields } from '../../http/own-fields';
import { SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { InvitePage } from './invite.page';
import { PeoplePage } from './people.page';
import { PersonPage } from './person.page';

const LIST = 'settings/users';

@Controller('dashboard/:mode/settings/users')
export class PeopleController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(LAST_MAIL) private readonly mails: LastMail,
  ) {}

  @Get()
  @SignedInPage('user.read')
  async list(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { merchantId } = visitOf(request).person;
    const view = () => this.queries.execute(new ListUsers(merchantId));
    await this.pages.show({ request, reply }, view, people => h(PeoplePage, { people }));
  }

  @Get('new')
  @SignedInPage('user.manage')
  async showInviting(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(InvitePage, {}));
  }

  @Post('new')
  @SignedInForm('user.manage', { fields: ['email', 'role'], highRisk: 'user.invite' })
  async invite(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = { request, reply };
    const page = () => this.pages.send(asked, h(InvitePage, {}));
    await this.work(asked, form, page, async context => {
      const invitation = new InviteUser(form.email ?? '', form.role ?? '', context);
      return `${LIST}/${(await this.commands.execute(invitation)).userId}`;
    });
  }

  @Get(':id')
  @SignedInPage('user.read')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sendPerson({ request, reply }, id);
  }

  /** Mails another link to an invited person. */
  @Post(':id/invite')
  @SignedInForm('user.manage', { fields: ['role'], highRisk: 'user.invite' })
  async inviteAgain(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, id, form, async context => {
      const email = await this.queries.execute(new GetUserEmail(context.merchantId, id));
      const invitation = new InviteUser(email, form.role ?? '', context);
      // The form has one field, and no address: each fault is shown there.
      await inOwnFields(
        () => 'role',
        () => this.commands.execute(invitation),
      );
    });
  }

  /** Ends an invitation that nobody has taken, and the link of its mail. */
  @Post(':id/withdraw')
  @SignedInForm('user.manage', { highRisk: 'user.withdraw_invitation' })
  async withdraw(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const withdrawal = (context: AccountContext) => this.commands.execute(new WithdrawInvitation(id, context));
    await this.change({ request, reply }, id, form, withdrawal);
  }

  @Post(':id/role')
  @SignedInForm('user.manage', { fields: ['role'], highRisk: 'user.change_role' })
  async changeRole(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, id, form, context =>
      this.commands.execute(new ChangeRole(id, form.role ?? '', context)),
    );
  }

  @Post(':id/disable')
  @SignedInForm('user.manage', { highRisk: 'user.disable' })
  async disable(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, id, form, context => this.commands.execute(new DisableUser(id, context)));
  }

  @Post(':id/enable')
  @SignedInForm('user.manage', { highRisk: 'user.enable' })
  async enable(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.change({ request, reply }, id, form, context => this.commands.execute(new EnableUser(id, context)));
  }

  private async change(
    asked: Asked,
    id: string,
    form: FormBody,
    effect: (context: AccountContext) => Promise<void>,
  ): Promise<void> {
    await this.work(
      asked,
      form,
      () => this.sendPerson(asked, id),
      async context => {
        await effect(context);
        return `${LIST}/${id}`;
      },
    );
  }

  private async work(
    asked: Asked,
    form: FormBody,
    page: () => Promise<void>,
    effect: (context: AccountContext) => Promise<string>,
  ): Promise<void> {
    const { accountContextOf } = visitOf(asked.request).person;
    await this.pages.work(asked, { form, page, effect: ({ command }) => effect(accountContextOf(command)) });
  }

  private async sendPerson(asked: Asked, id: string): Promise<void> {
    const { merchantId, userId, role } = visitOf(asked.request).person;
    const view = async () => {
      const person = await this.queries.execute(new GetUser(merchantId, id));
      const isMailed = person.status === 'invited' && permits(role, 'user.manage');
      return { person, isSelf: id === userId, mail: isMailed ? await this.mails.to(person.email) : null };
    };
    await this.pages.show(asked, view, shown => h(PersonPage, { view: shown }));
  }
}
