import { Controller, Get, Inject, Param, Post, Req, Res, type Type } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h, type ComponentChild } from 'preact';
import { RemovePasskey } from '../../src/modules/passkeys/commands/own-passkeys.command';
import { ListPasskeys } from '../../src/modules/passkeys/queries/list-passkeys.query';
import { EndOwnSessions } from '../../src/modules/sessions/commands/session.command';
import { ListSessions } from '../../src/modules/sessions/queries/list-sessions.query';
import {
  ChangePassword,
  EnrolTotp,
  MakeRecoveryCodes,
  OfferTotp,
} from '../../src/modules/users/commands/own-account.command';
import { GetTotpOffer } from '../../src/modules/users/queries/get-totp-offer.query';
import type { TotpOffer } from '../../src/modules/users/totp-offer';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import { SentForm, type FormBody } from '../../src/platform/http/form-body';
import type { PageRealm } from '../parts/page-realm';
import type { SignedPages } from '../http/signed-pages';
import type { ServedRealm } from '../http/served-realm';
import type { FormCommand } from '../http/form-work';
import type { SignedInPerson } from '../http/person';
import { CurrentPerson, OwnForm, OwnPage } from '../http/signed-in';
import type { Asked } from '../http/visits';
import { NewAuthenticator, NewCodes, SecurityCards } from './security-cards';

const PAGE = 'security';
const BELOW = { current: PAGE, back: { path: PAGE, text: 'Security' } } as const;

/** Whether the removal of a passkey asks for a code. */
function removalOf({ name }: PageRealm) {
  return name === 'admin' ? { highRisk: 'passkey.remove' } : {};
}

/** A person's own ways to sign in, and own devices. */
export function securityControllerOf({ realm, home, pages: pagesOf, frame }: ServedRealm): Type<object> {
  @Controller(`${home}/security`)
  class SecurityController {
    constructor(
      @Inject(pagesOf) private readonly pages: SignedPages,
      private readonly commands: CommandBus,
      private readonly queries: QueryBus,
    ) {}

    @Get()
    @OwnPage(realm.name)
    async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.send({ request, reply });
    }

    @Post('password')
    @OwnForm(realm.name, { fields: ['present', 'wanted'] })
    async changePassword(
      @CurrentPerson() person: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      await this.work({ request, reply }, form, async command => {
        const { present = '', wanted = '' } = form;
        const { open, accountContextOf } = person;
        // The other devices are signed out, and this one stays.
        await this.commands.execute(new ChangePassword(open, present, wanted, accountContextOf(command)));
      });
    }

    @Post('authenticator')
    @OwnForm(realm.name, { highRisk: 'authenticator.replace' })
    async offerAuthenticator(
      @CurrentPerson() person: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      const page = () => this.send(asked);
      await this.pages.reveal(asked, { form, page, effect: ({ command }) => this.offer(person, command) });
    }

    @Post('authenticator/first-code')
    @OwnForm(realm.name, { fields: ['code'] })
    async enrolAuthenticator(
      @CurrentPerson() person: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      // A wrong code shows the standing offer again. A new offer needs a fresh code of the present authenticator.
      const page = async () => {
        const offered = await this.queries.execute(new GetTotpOffer(person, person.email));
        if (offered === null) this.pages.leadTo(asked, PAGE);
        else await this.pages.sendSecret(asked, this.newAuthenticator(offered));
      };
      await this.pages.orAgain(asked, form, page, async () => {
        const context = person.accountContextOf(this.pages.freshCommand());
        const { recoveryCodes } = await this.commands.execute(
          new EnrolTotp(person, form.code ?? '', context, realm.name),
        );
        // An enrolment after a recovery makes new codes, which are shown this once.
        if (recoveryCodes.length === 0) this.pages.leadTo(asked, PAGE);
        else await this.pages.sendSecret(asked, this.newCodes(recoveryCodes));
      });
    }

    @Post('recovery-codes')
    @OwnForm(realm.name, { highRisk: 'recovery_codes.make' })
    async makeCodes(
      @CurrentPerson() { userId, accountContextOf }: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      await this.pages.reveal(asked, {
        form,
        page: () => this.send(asked),
        effect: async ({ command }) => {
          const made = await this.commands.execute(
            new MakeRecoveryCodes(userId, accountContextOf(command), realm.name),
          );
          return this.newCodes(made.recoveryCodes);
        },
      });
    }

    @Post('passkeys/:id/remove')
    @OwnForm(realm.name, removalOf(realm))
    async removePasskey(
      @CurrentPerson() { userId, accountContextOf }: SignedInPerson,
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
    @OwnForm(realm.name)
    async signOutOthers(
      @CurrentPerson() person: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const { open, sessionId } = person;
      const from = { ip: clientIp(request), requestId: request.id };
      await this.work({ request, reply }, form, () =>
        this.commands.execute(new EndOwnSessions(open, { allBut: sessionId }, 'other_device', from)),
      );
    }

    @Post('sessions/:id/sign-out')
    @OwnForm(realm.name)
    async signOut(
      @CurrentPerson() { open }: SignedInPerson,
      @Param('id') id: string,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const from = { ip: clientIp(request), requestId: request.id };
      await this.work({ request, reply }, form, () =>
        this.commands.execute(new EndOwnSessions(open, { only: id }, 'other_device', from)),
      );
    }

    private async send(asked: Asked): Promise<void> {
      const view = async ({ open, recoveryCodesLeft }: SignedInPerson) => ({
        codesLeft: recoveryCodesLeft,
        sessions: await this.queries.execute(new ListSessions(open)),
        passkeys: await this.queries.execute(new ListPasskeys(open.person.passkeys)),
      });
      await this.pages.show(asked, view, shown =>
        h(frame, { title: 'Security', current: PAGE, children: h(SecurityCards, { view: shown }) }),
      );
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

    private async offer(person: SignedInPerson, command: FormCommand): Promise<ComponentChild> {
      const offer = new OfferTotp(person, person.email, person.accountContextOf(command), realm.name);
      return this.newAuthenticator(await this.commands.execute(offer));
    }

    private newAuthenticator(offered: TotpOffer): ComponentChild {
      return h(frame, { ...BELOW, title: 'Another authenticator', children: h(NewAuthenticator, offered) });
    }

    private newCodes(codes: readonly string[]): ComponentChild {
      return h(frame, { ...BELOW, title: 'Recovery codes', children: h(NewCodes, { codes }) });
    }
  }
  return SecurityController;
}
