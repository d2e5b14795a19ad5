import { Body, Controller, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  OfferPasskeyRegistration,
  OfferPasskeySignIn,
} from '../../src/modules/passkeys/commands/offer-passkey.command';
import { RegisterPasskey } from '../../src/modules/passkeys/commands/own-passkeys.command';
import { SignInByPasskey } from '../../src/modules/sessions/commands/sign-in.command';
import { MAX_NAME_LENGTH } from '../../src/modules/users/registration';
import type { ApiRequest } from '../../src/platform/http/caller';
import { Text } from '../../src/platform/http/fields/text-fields';
import { AnyObject } from '../../src/platform/http/fields/value-fields';
import { clientIp, clientOf } from '../../src/platform/http/client-ip';
import { checkSite } from '../../src/platform/http/form-body';
import type { SignedPages } from '../http/signed-pages';
import type { ServedRealm } from '../http/served-realm';
import { ownPath } from '../http/next-path';
import type { SignedInPerson } from '../http/person';
import { CurrentPerson, SignedInJson } from '../http/signed-in';
import { pageOfStage } from '../http/stage-pages';
import type { Asked } from '../http/visits';
import { inPeoplesWords } from '../words/people-faults';

class CodeDto {
  @Text({ max: 20 })
  code!: string;
}

class NewPasskeyDto {
  @AnyObject('passkey_malformed')
  credential!: object;

  @Text({ max: MAX_NAME_LENGTH })
  name!: string;
}

class UsedPasskeyDto {
  @AnyObject('passkey_malformed')
  credential!: object;

  @Text({ presence: 'optional', max: 512 })
  next?: string;
}

/** The ceremonies of passkeys, which a page's script carries out. The answers are JSON. */
export function passkeysControllerOf(served: ServedRealm): Type<object> {
  const { realm } = served;

  @Controller(served.path)
  class PasskeysController {
    constructor(
      @Inject(served.pages) private readonly pages: SignedPages,
      private readonly commands: CommandBus,
    ) {}

    @Post('passkey/options')
    async offerSignIn(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      checkSite(request);
      void reply.send(await this.execute(new OfferPasskeySignIn(realm.name, clientIp(request))));
    }

    @Post('passkey')
    async signIn(
      @Body() { credential, next }: UsedPasskeyDto,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      checkSite(request);
      const asked = { request, reply };
      const signIn = new SignInByPasskey(credential, clientOf(request), request.id, realm.name);
      const { secret, stage } = await this.execute(signIn);
      this.pages.keepSession(asked, secret);
      this.sendNext(asked, this.pages.urlOf(pageOfStage(realm, stage, ownPath(realm, next))));
    }

    /** A further way to sign in is risky to add, so a fresh code comes first. */
    @Post('passkeys/options')
    @SignedInJson(realm.name)
    async offerRegistration(
      @CurrentPerson() { open }: SignedInPerson,
      @Body() { code }: CodeDto,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const { commandId } = this.pages.freshCommand();
      await inPeoplesWords(() => this.pages.stepUp({ request, reply }, { code }, 'passkey.add', commandId));
      void reply.send(await this.execute(new OfferPasskeyRegistration(open.person)));
    }

    @Post('passkeys')
    @SignedInJson(realm.name)
    async register(
      @CurrentPerson() { userId, accountContextOf }: SignedInPerson,
      @Body() { credential, name }: NewPasskeyDto,
      @Req() request: ApiRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const context = accountContextOf(this.pages.freshCommand());
      await this.execute(new RegisterPasskey(userId, credential, name, context));
      const asked = { request, reply };
      this.sendNext(asked, this.pages.addressOf(asked, 'security'));
    }

    private execute<Result>(command: Command<Result>): Promise<Result> {
      return inPeoplesWords(() => this.commands.execute(command));
    }

    private sendNext({ reply }: Asked, location: string): void {
      void reply.send({ location });
    }
  }
  return PasskeysController;
}
