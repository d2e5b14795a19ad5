import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NEWEST_API_VERSION, type ApiVersion } from '../../src/vocabulary/api-versions';
import type { JsonObject } from '../../src/vocabulary/json';
import { PORTS } from '../../src/kernel/ports/injection';
import { DEFAULT_SETTINGS, factsOf } from '../../src/modules/merchants/merchant-settings';
import { PaymentIntentReader } from '../../src/modules/payment-intents/api/payment-intent.reader';
import { PaymentIntentsController } from '../../src/modules/payment-intents/api/payment-intents.controller';
import { KeyAuthentication, MfaVerification } from '../../src/platform/http/authentication';
import { createHttpApp } from '../../src/platform/http/http-app';
import { createLogger } from '../../src/platform/logging/logger';
import { authenticatedKey } from './authenticated-key';
import { MERCHANT, type PaymentFixture } from './payment-fixture';

const BASE = 'https://pay.example';

/** The payments of a fixture as its merchant reads them over HTTP. */
export class PaymentsOverHttp {
  /** The version that the account is pinned to. */
  pinned: ApiVersion = NEWEST_API_VERSION;
  private app: NestFastifyApplication | null = null;

  constructor(private readonly fixture: PaymentFixture) {}

  async open(): Promise<this> {
    const { readModels, store, clock, entropy } = this.fixture;
    const heads = { headOf: () => Promise.resolve(null), headsOf: () => Promise.resolve(new Map()) };
    const reader = new PaymentIntentReader(readModels, store, heads, `${BASE}/checkout`);
    const authenticate: KeyAuthentication['authenticate'] = async () => {
      const nowMs = await clock.merchantNow('test', MERCHANT);
      const settings = factsOf({ ...DEFAULT_SETTINGS, apiVersion: this.pinned });
      return authenticatedKey({ merchantId: MERCHANT, keyId: 'key_1', nowMs, settings });
    };

    @Module({
      imports: [CqrsModule.forRoot()],
      controllers: [PaymentIntentsController],
      providers: [
        { provide: PaymentIntentReader, useValue: reader },
        { provide: PORTS.clock, useValue: clock },
        { provide: PORTS.entropy, useValue: entropy },
        { provide: KeyAuthentication, useValue: { authenticate } },
        { provide: MfaVerification, useValue: { verify: () => Promise.resolve() } },
      ],
    })
    class PaymentsModule {}

    const config = { publicUrl: BASE, docsUrl: BASE, dashboardUrl: BASE, modes: ['test'] as const };
    this.app = await createHttpApp(PaymentsModule, { config, log: createLogger({ level: 'silent' }), clock, entropy });
    await this.app.listen(0, '127.0.0.1');
    return this;
  }

  async close(): Promise<void> {
    await this.app?.close();
  }

  async get(path: string, version?: string): Promise<JsonObject> {
    const headers = { authorization: 'Bearer sk_test_1', ...(version && { 'api-version': version }) };
    return (await fetch(`${await this.app?.getUrl()}${path}`, { headers })).json() as Promise<JsonObject>;
  }
}
