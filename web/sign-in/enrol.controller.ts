import { Controller, Get, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { FinishEnrolment } from '../../src/modules/sessions/commands/sign-in.command';
import { EnrolTotp, OfferTotp } from '../../src/modules/users/commands/own-account.command';
import { clientOf } from '../../src/platform/http/client-ip';
import type { ApiRequest } from '../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../src/platform/http/form-body';
import type { SignedPages } from '../http/signed-pages';
import type { ServedRealm } from '../http/served-realm';
import type { SignedInPerson } from '../http/person';
import { CurrentPerson, StagedForm, StagedPage } from '../http/signed-in';
import { pageOfStage } from '../http/stage-pages';
import type { Asked } from '../http/visits';
import { EnrolPage, OfferPage, RecoveryCodesPage } from './enrol.page';

/** The first authenticator of a person, and the one after a recovery. */
export function enrolControllerOf(served: ServedRealm): Type<object> {
  const { realm } = served;

  @Controller(`${served.path}/enrol`)
  class EnrolController {
    constructor(
      @Inject(served.pages) private readonly pages: SignedPages,
      private readonly commands: CommandBus,
    ) {}

    @Get()
    @StagedPage(realm.name, 'enrolment')
    async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.pages.send({ request, reply }, h(EnrolPage, {}));
    }

    @Post('offer')
    @StagedForm(realm.name, ['enrolment'])
    async offer(
      @CurrentPerson() person: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      const page = () => this.pages.send(asked, h(EnrolPage, {}));
      await this.pages.orAgain(asked, form, page, () => this.sendOffer(asked, person));
    }

    @Post()
    @StagedForm(realm.name, ['enrolment'], { fields: ['code'] })
    async enrol(
      @CurrentPerson() person: SignedInPerson,
      @SentForm() form: FormBody,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const asked = { request, reply };
      await this.pages.orAgain(
        asked,
        form,
        () => this.sendOffer(asked, person),
        async () => {
          const context = person.accountContextOf(this.pages.freshCommand());
          const enrol = new EnrolTotp(person, form.code ?? '', context, realm.name);
          const { recoveryCodes } = await this.commands.execute(enrol);
          const finish = new FinishEnrolment(person.open, clientOf(request), request.id);
          const { secret, stage } = await this.commands.execute(finish);
          this.pages.keepSession(asked, secret);
          const next = pageOfStage(realm, stage);
          if (recoveryCodes.length === 0) this.pages.leadTo(asked, next);
          else {
            await this.pages.sendSecret(
              asked,
              h(RecoveryCodesPage, { codes: recoveryCodes, href: this.pages.urlOf(next) }),
            );
          }
        },
      );
    }

    /** The same secret for ten minutes, so that a mistyped code needs no new scan. */
    private async sendOffer(asked: Asked, person: SignedInPerson): Promise<void> {
      const offer = new OfferTotp(person, person.email, person.accountContextOf(this.pages.freshCommand()), realm.name);
      const { secret, uri } = await this.commands.execute(offer);
      await this.pages.sendSecret(asked, h(OfferPage, { secret, uri }));
    }
  }
  return EnrolController;
}
