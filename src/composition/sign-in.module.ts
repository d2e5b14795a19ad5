import { Module, type Provider } from '@nestjs/common';
import type { WebAuthn } from '../kernel/ports/web-authn';
import { PasskeysModule } from '../modules/passkeys/passkeys.module';
import { RELYING_PARTIES, relyingPartyOf, WEB_AUTHN, type RelyingParties } from '../modules/passkeys/relying-party';
import { RefusedSignIns } from '../modules/sessions/refused-sign-ins';
import { SessionsModule } from '../modules/sessions/sessions.module';
import { SignInFailures } from '../modules/sessions/sign-in-failures';
import { UsersModule } from '../modules/users/users.module';
import type { Config } from '../platform/config/config';
import { ChangePasswordHandler } from '../processes/sign-in/change-password.handler';
import { RegisterPasskeyHandler, RemovePasskeyHandler } from '../processes/sign-in/passkey-management.handlers';
import { SignInByPasskeyHandler } from '../processes/sign-in/passkey-sign-in.handler';
import { StartSignInHandler } from '../processes/sign-in/password-sign-in.handler';
import { SecondFactors } from '../processes/sign-in/second-factor';
import {
  ConfirmSignInHandler,
  EndOldestSessionHandler,
  FinishEnrolmentHandler,
  RecoverSignInHandler,
} from '../processes/sign-in/sign-in-steps.handlers';

/** The library takes a third of a second to load, so that happens with the first passkey. */
class LazyWebAuthn implements WebAuthn {
  private loading: Promise<WebAuthn> | null = null;

  async attest(...asked: Parameters<WebAuthn['attest']>): ReturnType<WebAuthn['attest']> {
    return (await this.loaded()).attest(...asked);
  }

  async assert(...asked: Parameters<WebAuthn['assert']>): ReturnType<WebAuthn['assert']> {
    return (await this.loaded()).assert(...asked);
  }

  private loaded(): Promise<WebAuthn> {
    this.loading ??= import('../platform/webauthn/simple-web-authn.js').then(
      ({ SimpleWebAuthn }) => new SimpleWebAuthn(),
    );
    return this.loading;
  }
}

/** The parts that the module of passkeys asks for. */
export function passkeyPorts({
  dashboardUrl,
  consoleUrl,
}: Pick<Config, 'dashboardUrl' | 'consoleUrl'>): readonly Provider[] {
  const parties: RelyingParties = { merchant: relyingPartyOf(dashboardUrl), admin: relyingPartyOf(consoleUrl) };
  return [
    { provide: RELYING_PARTIES, useValue: parties },
    { provide: WEB_AUTHN, useValue: new LazyWebAuthn() },
  ];
}

/** The commands that span users, sessions and passkeys. */
@Module({
  imports: [UsersModule, SessionsModule, PasskeysModule],
  providers: [
    StartSignInHandler,
    ConfirmSignInHandler,
    RecoverSignInHandler,
    FinishEnrolmentHandler,
    EndOldestSessionHandler,
    SignInByPasskeyHandler,
    RegisterPasskeyHandler,
    RemovePasskeyHandler,
    ChangePasswordHandler,
    {
      provide: SecondFactors,
      useFactory: (failures: SignInFailures, refusals: RefusedSignIns) => new SecondFactors(failures, refusals),
      inject: [SignInFailures, RefusedSignIns],
    },
  ],
})
export class SignInModule {}
