import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h, type ComponentChild } from 'preact';
import { RemovePasskey } from '../../../src/modules/passkeys/commands/own-passkeys.command';
import { ListPasskeys } from '../../../src/modules/passkeys/queries/list-passkeys.query';
import { EndSessions } from '../../../src/modules/sessions/commands/session.command';
import { ListSessions } from '../../../src/modules/sessions/queries/list-sessions.query';
import {
  ChangePassword,
  EnrolTotp,
  MakeRecoveryCodes,
  OfferTotp,
} from '../../../src/modules/users/commands/own-account.command';
import { GetTotpOffer } from '../../../src/modules/users/queries/get-totp-offer.query';
import { GetUser } from '../../../src/modules/users/queries/get-user.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { clientIp } from '../../../src/platform/http/client-ip';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import type { FormCommand } from '../../http/form-work';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { NewAuthenticatorPage, NewCodesPage, SecurityPage } from './security.page';

const PAGE = 'security';

/** A person's own ways to sign in, and own devices. */
@Controller('dashboard/:mode/security')
export class SecurityController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @SignedInPage(null)
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  @Post('password')
  @SignedInForm(null, { fields: ['present', 'wanted'] })
  async changePassword(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, form, async command => {
      const { present = '', wanted = '' } = form;
      const { userId, sessionId, accountContextOf } = person;
      // The other devices are signed out, and this one stays.
      await this.commands.execute(new ChangePassword(userId, present, wanted, accountContextOf(command), sessionId));
    });
  }

  @Post('authenticator')
  @SignedInForm(null, { highRisk: 'authenticator.replace' })
  async offerAuthenticator(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    const page = () => this.send(asked);
    await this.pages.reveal(asked, { form, page, effect: ({ command }) => this.offer(person, command) });
  }

  @Post('authenticator/first-code')
  @SignedInForm(null, { fields: ['code'] })
  async enrolAuthenticator(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    // A wrong code shows the standing offer again. A new offer needs a fresh code of the present authenticator.
    const page = async () => {
      const offered = await this.queries.execute(new GetTotpOffer(person, person.email));
      if (offered === null) this.pages.leadTo(asked, PAGE);
      else await this.pages.sendSecret(asked, h(NewAuthenticatorPage, offered));
    };
    await this.pages.orAgain(asked, form, page, async () => {
      const context = person.accountContextOf(this.pages.freshCommand());
      const { recoveryCodes } = await this.commands.execute(new EnrolTotp(person, form.code ?? '', context));
      // An enrolment after a recovery makes new codes, which are shown this once.
      if (recoveryCodes.length === 0) this.pages.leadTo(asked, PAGE);
      else await this.pages.sendSecret(asked, h(NewCodesPage, { codes: recoveryCodes }));
    });
  }

  @Post('recovery-codes')
  @SignedInForm(null, { highRisk: 'recovery_codes.make' })
  async makeCodes(
    @CurrentPerson() { userId, accountContextOf }: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.reveal(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ command }) => {
        const made = await this.commands.execute(new MakeRecoveryCodes(userId, accountContextOf(command)));
        return h(NewCodesPage, { codes: made.recoveryCodes });
      },
    });
  }

  @Post('passkeys/:id/remove')
  @SignedInForm(null)
  async removePasskey(
    @CurrentPerson() { userId, accountContextOf }: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, form, command =>
      this.commands.execute(new RemovePasskey(userId, id, accountContextOf(command))),
    );
  }

  @Post('sessions/others')
  @SignedInForm(null)
  async signOutOthers(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { userId, sessionId } = person;
    const from = { ip: clientIp(request), requestId: request.id };
    await this.work({ request, reply }, form, () =>
      this.commands.execute(new EndSessions(userId, { allBut: sessionId }, 'other_device', from)),
    );
  }

  @Post('sessions/:id/sign-out')
  @SignedInForm(null)
  async signOut(
    @CurrentPerson() { userId }: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const from = { ip: clientIp(request), requestId: request.id };
    await this.work({ request, reply }, form, () =>
      this.commands.execute(new EndSessions(userId, { only: id }, 'other_device', from)),
    );
  }

  private async send(asked: Asked): Promise<void> {
    const { merchantId, userId, sessionId } = visitOf(asked.request).person;
    const view = async () => ({
      user: await this.queries.execute(new GetUser(merchantId, userId)),
      sessions: await this.queries.execute(new ListSessions(userId, sessionId)),
      passkeys: await this.queries.execute(new ListPasskeys(userId)),
    });
    await this.pages.show(asked, view, shown => h(SecurityPage, { view: shown }));
  }

  private work(asked: Asked, form: FormBody, effect: (command: FormCommand) => Promise<unknown>): Promise<void> {
    return this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ command }) => {
        await effect(command);
        return PAGE;
      },
    });
  }

  private async offer(person: Person, command: FormCommand): Promise<ComponentChild> {
    const offer = new OfferTotp(person, person.email, person.accountContextOf(command));
    return h(NewAuthenticatorPage, await this.commands.execute(offer));
  }
}
