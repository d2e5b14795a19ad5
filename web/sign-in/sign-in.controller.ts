import { Controller, Get, Inject, Post, Query, Req, Res, type Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import {
  ConfirmSignIn,
  EndOldestSession,
  RecoverSignIn,
  StartSignIn,
} from '../../src/modules/sessions/commands/sign-in.command';
import type { GivenSession } from '../../src/modules/sessions/signed-in';
import { clientOf } from '../../src/platform/http/client-ip';
import type { ApiRequest } from '../../src/platform/http/caller';
import { SentForm, TakesForm, type FormBody } from '../../src/platform/http/form-body';
import { isRefusal, refuse } from '../../src/vocabulary/errors';
import type { SignedPages } from '../http/signed-pages';
import type { ServedRealm } from '../http/served-realm';
import { ownPath } from '../http/next-path';
import { pageOfStage } from '../http/stage-pages';
import { StagedForm, StagedPage } from '../http/signed-in';
import { visitOf, type Asked } from '../http/visits';
import { ChoicePage, CodePage, isSignInReason, RecoveryPage, SignInPage, type SignInReason } from './sign-in.page';

type SignInQuery = { readonly next?: string; readonly ended?: string };

/** Signing in by password and code, step by step. Each step gives the browser another secret. */
export function signInControllerOf(served: ServedRealm): Type<object> {
  const { realm } = served;

  @Controller(served.path)
  class SignInController {
    constructor(
      @Inject(served.pages) private readonly pages: SignedPages,
      private readonly commands: CommandBus,
    ) {}

    @Get('sign-in')
    async show(@Query() query: SignInQuery, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.showSignIn({ request, reply }, query.next, reasonOf(query.ended));
    }

    @Post('sign-in')
    @TakesForm('email', 'password', 'next')
    async start(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const asked = { request, reply };
      const { email = '', password = '', next } = form;
      await this.pages.orAgain(
        asked,
        form,
        () => this.showSignIn(asked, next),
        async () => {
          const start = new StartSignIn(email, password, clientOf(request), request.id, realm.name);
          this.goOn(asked, await this.commands.execute(start), next);
        },
      );
    }

    @Get('code')
    @StagedPage(realm.name, 'code')
    async showCode(@Query() query: SignInQuery, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.pages.send({ request, reply }, h(CodePage, { next: ownPath(realm, query.next) ?? '' }));
    }

    @Post('code')
    @StagedForm(realm.name, ['code'], { fields: ['code', 'next'] })
    async confirm(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const asked = { request, reply };
      const { code = '', next } = form;
      const page = () => this.pages.send(asked, h(CodePage, { next: ownPath(realm, next) ?? '' }));
      await this.pages.orAgain(asked, form, page, async () => {
        const step = new ConfirmSignIn(visitOf(request).person.open, code, clientOf(request), request.id);
        this.goOn(asked, await this.commands.execute(step), next);
      });
    }

    @Get('choice')
    @StagedPage(realm.name, 'choice')
    async showChoice(
      @Query() query: SignInQuery,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      await this.pages.send({ request, reply }, h(ChoicePage, { next: ownPath(realm, query.next) ?? '' }));
    }

    @Post('choice')
    @StagedForm(realm.name, ['choice'], { fields: ['next'] })
    async choose(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const asked = { request, reply };
      const step = new EndOldestSession(visitOf(request).person.open, clientOf(request), request.id);
      this.goOn(asked, await this.commands.execute(step), form.next);
    }

    @Get('recovery')
    @StagedPage(realm.name, 'code')
    async showRecovery(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.pages.send({ request, reply }, h(RecoveryPage, {}));
    }

    @Post('recovery')
    @StagedForm(realm.name, ['code'], { fields: ['recovery_code'] })
    async recover(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const asked = { request, reply };
      await this.pages.orAgain(
        asked,
        form,
        () => this.pages.send(asked, h(RecoveryPage, {})),
        async () => {
          const { open } = visitOf(request).person;
          const step = new RecoverSignIn(open, form.recovery_code ?? '', clientOf(request), request.id);
          this.goOn(asked, await this.commands.execute(step).catch(ofRecoveryCode), undefined);
        },
      );
    }

    private showSignIn(asked: Asked, next: string | undefined, reason: SignInReason | null = null): Promise<void> {
      return this.pages.send(asked, h(SignInPage, { next: ownPath(realm, next) ?? '', reason }));
    }

    /** Leads to the page of the session's stage; a full session's is the page that was wanted. */
    private goOn(asked: Asked, { secret, stage }: GivenSession, next: string | undefined): void {
      this.pages.keepSession(asked, secret);
      this.pages.leadTo(asked, pageOfStage(realm, stage, ownPath(realm, next)));
    }
  }
  return SignInController;
}

/** The address says why somebody has to sign in; a text that is no reason says nothing. */
function reasonOf(ended: string = ''): SignInReason | null {
  return isSignInReason(ended) ? ended : null;
}

/** Of recovery codes no next one comes, for which somebody could wait. */
function ofRecoveryCode(error: unknown): never {
  if (!isRefusal(error) || error.code !== 'mfa_proof_invalid') throw error;
  const message = 'This recovery code is wrong, or was used before. Take another one.';
  throw refuse('mfa_proof_invalid', { param: 'recovery_code', message, cause: error });
}
