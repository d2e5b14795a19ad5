import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { refuse } from '../../../src/vocabulary/errors';
import { PORTS } from '../../../src/kernel/ports/injection';
import { SCOPES, type Scope } from '../../../src/vocabulary/scopes';
import { WritePath } from '../../../src/kernel/write-path';
import { WebhookEventReader } from '../../../src/modules/webhooks/api/webhook-event.reader';
import { WebhookPayments } from '../../../src/modules/webhooks/webhook-payments';
import { RedeliverWebhookEventHandler } from '../../../src/processes/webhook-delivery/redeliver-webhook-event.handler';
import { DeliveryWrites } from '../../../src/processes/webhook-delivery/delivery-writes';
import { Dispatcher } from '../../../src/processes/webhook-delivery/dispatch/dispatcher';
import { WebhooksModule } from '../../../src/modules/webhooks/webhooks.module';
import { KeyAuthentication, MfaVerification, type MfaAttempt } from '../../../src/platform/http/authentication';
import { createHttpApp } from '../../../src/platform/http/http-app';
import { createLogger } from '../../../src/platform/logging/logger';
import { EgressAddresses } from '../../../src/platform/webhooks/egress-addresses';
import { MERCHANT, secretBox, WebhookFixture } from '../../processes/webhook-delivery/webhook-fixture';
import { DEFAULT_SETTINGS, factsOf } from '../../../src/modules/merchants/merchant-settings';
import { authenticatedKey } from '../../support/authenticated-key';

export type Answer = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly code: unknown;
  readonly param: unknown;
};

type Key = { readonly merchantId: string; readonly mode: 'test' | 'live'; readonly scopes: readonly Scope[] };

const KEYS: Readonly<Record<string, Key>> = {
  own: { merchantId: MERCHANT, mode: 'test', scopes: SCOPES },
  live: { merchantId: MERCHANT, mode: 'live', scopes: SCOPES },
  other: { merchantId: 'mch_00000000000000000000000009', mode: 'test', scopes: SCOPES },
  manager: { merchantId: MERCHANT, mode: 'test', scopes: ['webhook:manage'] },
  reader: { merchantId: MERCHANT, mode: 'test', scopes: ['webhook:read'] },
};
export type KeyName = 'own' | 'live' | 'other' | 'manager' | 'reader';

/** The webhook API over a fixture, with a key for each name. */
export class WebhooksApiApp {
  private constructor(
    readonly fixture: WebhookFixture,
    private readonly app: NestFastifyApplication,
    /** The actions for which one-time codes were taken, in this order. */
    readonly mfaActions: readonly string[],
  ) {}

  static async start(): Promise<WebhooksApiApp> {
    const fixture = new WebhookFixture();
    const mfaActions: string[] = [];
    const log = createLogger({ level: 'silent' });
    const authenticate: KeyAuthentication['authenticate'] = text => {
      const key = KEYS[text];
      if (!key) return Promise.reject(refuse('invalid_api_key'));
      const facts = { ...key, keyId: `key_${text}`, nowMs: fixture.clock.now() };
      return Promise.resolve(authenticatedKey({ ...facts, settings: factsOf(DEFAULT_SETTINGS) }));
    };
    const verify: MfaVerification['verify'] = ({ action, code }: MfaAttempt) => {
      if (code === null) return Promise.reject(refuse('mfa_required'));
      mfaActions.push(action);
      return Promise.resolve();
    };
    const providers = [
      { provide: WritePath, useValue: fixture.writes },
      { provide: PORTS.clock, useValue: fixture.clock },
      { provide: PORTS.entropy, useValue: fixture.entropy },
      { provide: PORTS.readModels, useValue: fixture.readModels },
      { provide: PORTS.eventStore, useValue: fixture.store },
      { provide: PORTS.secretBox, useValue: secretBox },
      { provide: PORTS.log, useValue: log },
      { provide: WebhookPayments, useValue: fixture.payments },
      {
        provide: WebhookEventReader,
        useValue: new WebhookEventReader(fixture.writes, fixture.readModels, fixture.payments),
      },
      { provide: KeyAuthentication, useValue: { authenticate } },
      { provide: MfaVerification, useValue: { verify } },
    ];

    @Global()
    @Module({ providers, exports: providers.map(({ provide }) => provide) })
    class PortsModule {}

    const webhooks = WebhooksModule.with(new EgressAddresses([], [443, 80]));
    const deliveryWrites = { provide: DeliveryWrites, useValue: fixture.deliveryWrites };
    const dispatcher = { provide: Dispatcher, useValue: fixture.dispatcher };
    @Module({
      imports: [PortsModule, CqrsModule.forRoot(), webhooks],
      providers: [RedeliverWebhookEventHandler, deliveryWrites, dispatcher],
    })
    class RootModule {}

    const base = 'https://pay.example';
    const config = { publicUrl: base, docsUrl: base, dashboardUrl: base, modes: ['test', 'live'] as const };
    const app = await createHttpApp(RootModule, { config, log, clock: fixture.clock, entropy: fixture.entropy });
    await app.listen(0, '127.0.0.1');
    return new WebhooksApiApp(fixture, app, mfaActions);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  get(path: string, key: KeyName = 'own'): Promise<Answer> {
    return this.call('GET', path, key, null, {});
  }

  post(path: string, payload: object | null = null, key: KeyName = 'own', mfaCode = '123456'): Promise<Answer> {
    return this.call('POST', path, key, payload, mfaCode === '' ? {} : { 'mfa-code': mfaCode });
  }

  private async call(
    method: 'GET' | 'POST',
    path: string,
    key: KeyName,
    payload: object | null,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const answer = await fetch(`${await this.app.getUrl()}${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        connection: 'close',
        ...(payload && { 'content-type': 'application/json' }),
      },
      ...(payload && { body: JSON.stringify(payload) }),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    const error = body.error as { code?: unknown; param?: unknown } | undefined;
    return { status: answer.status, body, code: error?.code ?? null, param: error?.param ?? null };
  }
}
