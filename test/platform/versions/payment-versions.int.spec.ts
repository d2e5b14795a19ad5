import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Core } from '../../../src/core';
import type { ApiVersion } from '../../../src/kernel/api-versions';
import type { JsonObject } from '../../../src/kernel/json';
import { PORTS } from '../../../src/kernel/ports/injection';
import { SCOPES } from '../../../src/kernel/scopes';
import { PaymentIntentReader } from '../../../src/modules/payment-intents/api/payment-intent.reader';
import { PaymentIntentsController } from '../../../src/modules/payment-intents/api/payment-intents.controller';
import { loadConfig } from '../../../src/platform/config/config';
import { KeyAuthentication, MfaVerification } from '../../../src/platform/http/authentication';
import { createHttpApp } from '../../../src/platform/http/http-app';
import { createLogger } from '../../../src/platform/logging/logger';
import { openWebhooks } from '../../../src/webhooks';
import { MERCHANT, PaymentFixture } from '../../support/payment-fixture';

const PAYMENT = 'pi_00000000000000000000000001';
const RESERVED_UNTIL = '2026-11-02T12:15:00.000Z';
const CHECKOUT = 'https://pay.example/checkout';

const fixture = new PaymentFixture();
/** The version that the account is pinned to. */
let pinned: ApiVersion = '2026-11-15';
let app: NestFastifyApplication;

beforeAll(async () => {
  await fixture.quoted(PAYMENT);
  const { readModels, store, clock } = fixture;
  const reader = new PaymentIntentReader(readModels, store, () => Promise.resolve(null), CHECKOUT, clock);
  const authenticate: KeyAuthentication['authenticate'] = () => {
    const key = { merchantId: MERCHANT, mode: 'test', keyId: 'key_1', kind: 'sk', scopes: SCOPES } as const;
    return Promise.resolve({ ...key, apiVersion: pinned });
  };

  @Module({
    imports: [CqrsModule.forRoot()],
    controllers: [PaymentIntentsController],
    providers: [
      { provide: PaymentIntentReader, useValue: reader },
      { provide: PORTS.clock, useValue: fixture.clock },
      { provide: PORTS.entropy, useValue: fixture.entropy },
      { provide: KeyAuthentication, useValue: { authenticate } },
      { provide: MfaVerification, useValue: { verify: () => Promise.resolve() } },
    ],
  })
  class PaymentsModule {}

  const base = 'https://pay.example';
  const config = { publicUrl: base, docsUrl: base, dashboardUrl: base, modes: ['test'] as const };
  app = await createHttpApp(PaymentsModule, { config, log: createLogger({ level: 'silent' }) });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

async function get(path: string, version?: string): Promise<JsonObject> {
  const headers = { authorization: 'Bearer sk_test_1', ...(version && { 'api-version': version }) };
  return (await fetch(`${await app.getUrl()}${path}`, { headers })).json() as Promise<JsonObject>;
}

const methodOf = (payment: JsonObject) => payment.payment_method as JsonObject;

it('serves both versions, and they differ in what the newer one added', async () => {
  const newest = await get(`/v1/payment_intents/${PAYMENT}`, '2026-11-15');
  const first = await get(`/v1/payment_intents/${PAYMENT}`, '2026-11-01');
  expect(methodOf(newest).reserved_until).toBe(RESERVED_UNTIL);
  expect(methodOf(first)).not.toHaveProperty('reserved_until');
  expect({ ...first, payment_method: { ...methodOf(first), reserved_until: RESERVED_UNTIL } }).toEqual(newest);
});

it('serves the version of the account where the request names none, in lists too', async () => {
  for (const [version, expected] of [
    ['2026-11-15', RESERVED_UNTIL],
    ['2026-11-01', undefined],
  ] as const) {
    pinned = version;
    const one = await get(`/v1/payment_intents/${PAYMENT}`);
    const { data } = (await get('/v1/payment_intents')) as { data: readonly JsonObject[] };
    expect([one, ...data].map(payment => methodOf(payment).reserved_until)).toEqual([expected, expected]);
  }
});

it('freezes what webhooks tell in the version that their endpoint is pinned to', async () => {
  const { writes, store, readModels, clock, entropy } = fixture;
  const secretBox = { deriveKey: () => new Uint8Array(32) };
  const core = { config: loadConfig({}), writes, store, readModels, clock, entropy, secretBox } as unknown as Core;
  const { snapshot } = openWebhooks(core);
  const history = await fixture.events(PAYMENT);
  const told = (version?: ApiVersion) => methodOf(snapshot(history, version)?.resource ?? {});
  expect(told('2026-11-15').reserved_until).toBe(RESERVED_UNTIL);
  expect(told('2026-11-01')).toEqual({ ...told(), reserved_until: undefined });
});
