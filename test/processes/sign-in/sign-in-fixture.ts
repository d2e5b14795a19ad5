import { Global, Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus, type Command, type Query } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { AccountsModule } from '../../../src/composition/accounts.module';
import { passkeyPorts, SignInModule } from '../../../src/composition/sign-in.module';
import { AccessReader } from '../../../src/kernel/access-reader';
import type { Clock } from '../../../src/kernel/clock';
import type { AccountContext } from '../../../src/kernel/command-context';
import type { Entropy } from '../../../src/kernel/entropy';
import { PORTS } from '../../../src/kernel/ports/injection';
import { WritePath } from '../../../src/kernel/write-path';
import { ApiKeysModule } from '../../../src/modules/api-keys/api-keys.module';
import { MerchantsModule } from '../../../src/modules/merchants/merchants.module';
import { AuthenticateSession } from '../../../src/modules/sessions/commands/session.command';
import { ConfirmSignIn, StartSignIn } from '../../../src/modules/sessions/commands/sign-in.command';
import {
  REFUSED_SIGN_INS_NOTICE,
  RefusedSignIns,
  type ManyRefusals,
} from '../../../src/modules/sessions/refused-sign-ins';
import type { OpenSession } from '../../../src/modules/sessions/session-authentication';
import type { Client, GivenSession } from '../../../src/modules/sessions/signed-in';
import { ACCOUNT_MAIL, type AccountLetter, type AccountMail } from '../../../src/modules/users/account-mail';
import { SIGN_UP } from '../../../src/modules/users/sign-up';
import { usersReadModel } from '../../../src/modules/users/users.read-model';
import { BARRED_CODES_NOTICE } from '../../../src/modules/users/wrong-codes';
import { createLogger } from '../../../src/platform/logging/logger';
import { RegisterMerchant, type RegisteredMerchant } from '../../../src/processes/accounts/register-merchant';
import { isRefusal, type Refusal } from '../../../src/vocabulary/errors';
import { IdentityFixture } from '../../modules/merchants/identity-fixture';
import { hashCheaply } from '../../support/cheap-hashes';

export const PASSWORD = 'plum harbour 47 lanterns';
export const HOME: Client = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 Firefox/140.0' };
export const STEP_MS = 30_000;

export type PersonOf = {
  readonly email: string;
  readonly merchantId: string;
  readonly userId: string;
  readonly secret: string;
};

/** Sign-in with the service's own handlers, over stores in memory, at a time that the test sets. */
export class SignInFixture {
  readonly stores = new IdentityFixture();
  readonly told: ManyRefusals[] = [];
  readonly letters: AccountLetter[] = [];
  /** Replaced by a test whose source of randomness fails. */
  entropy: Entropy = this.stores;
  private app!: INestApplicationContext;
  private counter = 0;

  static async open(dashboardUrl = 'https://pay.example/dashboard'): Promise<SignInFixture> {
    hashCheaply();
    const fixture = new SignInFixture();
    fixture.app = await NestFactory.createApplicationContext(fixture.module(dashboardUrl), { logger: false });
    return fixture;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  get nowMs(): number {
    return this.stores.nowMs;
  }

  pass(byMs: number): void {
    this.stores.nowMs += byMs;
  }

  run<Result>(command: Command<Result>): Promise<Result> {
    return this.app.get(CommandBus).execute(command);
  }

  ask<Result>(query: Query<Result>): Promise<Result> {
    return this.app.get(QueryBus).execute(query);
  }

  /** The refusal of a command; fails where the command succeeds. */
  async refusalOf(running: Promise<unknown>): Promise<Refusal> {
    try {
      await running;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
    throw new Error('a refusal was expected');
  }

  async codeOf(running: Promise<unknown>): Promise<string> {
    return (await this.refusalOf(running)).code;
  }

  requestId(): string {
    return `req_${++this.counter}`;
  }

  /** An owner as the operator makes one, with an authenticator. */
  async person(email = `owner${++this.counter}@example.com`): Promise<PersonOf> {
    const context = this.stores.context('platform', null);
    const command = new RegisterMerchant('Tea House', email, PASSWORD, context);
    const {
      merchant_id: merchantId,
      user_id: userId,
      totp_secret: secret,
    }: RegisteredMerchant = await this.run(command);
    return { email, merchantId, userId, secret };
  }

  context({ userId, merchantId }: Pick<PersonOf, 'userId' | 'merchantId'>): AccountContext {
    return {
      ...this.stores.context('platform', merchantId),
      actor: { role: 'merchant', type: 'user', id: userId },
    };
  }

  /** The code of this moment. Each step of 30 s has one that is taken once. */
  code({ secret }: Pick<PersonOf, 'secret'>): string {
    return generateSync({ secret, epoch: this.nowMs / 1_000 });
  }

  start(email: string, password = PASSWORD, client = HOME): Promise<GivenSession> {
    return this.run(new StartSignIn(email, password, client, this.requestId()));
  }

  async confirm(secret: string, code: string, client = HOME): Promise<GivenSession> {
    return this.run(new ConfirmSignIn(await this.openSession(secret, client), code, client, this.requestId()));
  }

  /** A full session by password and code. */
  async signIn(person: PersonOf, client = HOME): Promise<GivenSession> {
    this.pass(STEP_MS);
    const { secret } = await this.start(person.email, PASSWORD, client);
    return this.confirm(secret, this.code(person), client);
  }

  authenticate(secret: string, client = HOME, isLive = false) {
    return this.run(new AuthenticateSession(secret, client, isLive ? 'look' : 'use'));
  }

  /** The session as a request with its cookie finds it. */
  async openSession(secret: string, client = HOME): Promise<OpenSession> {
    return (await this.authenticate(secret, client)).open;
  }

  /** The passkeys of the person at this moment, with the facts that an authenticator shows. */
  async passkeyUser({ userId }: Pick<PersonOf, 'userId'>) {
    const user = await this.stores.get(usersReadModel, 'platform', userId);
    if (user === null) throw new Error(`there is no ${userId}`);
    const { email, name, passkeys } = user.body;
    return { userId, email, name, passkeys };
  }

  /** `ok`, or the code of the refusal. */
  async standing(secret: string, client = HOME, isLive = false): Promise<string> {
    return this.authenticate(secret, client, isLive).then(
      () => 'ok',
      (error: unknown) => {
        if (isRefusal(error)) return error.code;
        throw error;
      },
    );
  }

  /** Work that goes on behind the answers is done. */
  recorded(): Promise<void> {
    return this.app.get(RefusedSignIns, { strict: false }).recorded();
  }

  private module(dashboardUrl: string) {
    const { stores } = this;
    // A wait ends with its loop alone: deferred writes are made at the close.
    const clock: Clock = {
      now: () => stores.nowMs,
      wait: (_, signal) => new Promise(resolve => signal?.addEventListener('abort', () => resolve(), { once: true })),
    };
    const entropy: Entropy = { bytes: count => this.entropy.bytes(count) };
    const providers = [
      { provide: WritePath, useValue: stores.writePath },
      { provide: AccessReader, useValue: stores.access },
      { provide: PORTS.clock, useValue: clock },
      { provide: PORTS.entropy, useValue: entropy },
      { provide: PORTS.readModels, useValue: stores },
      { provide: PORTS.documents, useValue: stores.documents },
      { provide: PORTS.secretBox, useValue: stores.secretBox },
      { provide: PORTS.log, useValue: createLogger({ level: 'silent' }) },
      { provide: BARRED_CODES_NOTICE, useValue: { tell: () => Promise.resolve() } },
      { provide: REFUSED_SIGN_INS_NOTICE, useValue: { tell: async (many: ManyRefusals) => void this.told.push(many) } },
      {
        provide: ACCOUNT_MAIL,
        useValue: { put: async (...[, , letter]: Parameters<AccountMail['put']>) => void this.letters.push(letter) },
      },
      { provide: SIGN_UP, useValue: 'open' },
      ...(passkeyPorts({ dashboardUrl, consoleUrl: dashboardUrl }) as readonly {
        readonly provide: symbol;
        readonly useValue: unknown;
      }[]),
    ];
    @Global()
    @Module({ providers, exports: providers.map(({ provide }) => provide) })
    class Ports {}
    @Module({ imports: [CqrsModule.forRoot(), Ports, ApiKeysModule, MerchantsModule, AccountsModule, SignInModule] })
    class App {}
    return App;
  }
}
