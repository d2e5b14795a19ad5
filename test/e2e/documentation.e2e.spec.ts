import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RefusedError } from '../../clients/typescript/src';
import { Merchant } from '../support/merchant';
import { OpenApiValidation } from '../support/openapi-validation';
import { freePort, ServiceProcess } from '../support/service-process';

const LIMIT_MS = 60_000;

let service: ServiceProcess;
let merchant: Merchant;
const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-documentation-'));

beforeAll(async () => {
  service = await ServiceProcess.start({ dataFolder, port: await freePort(), env: { SANDBOX_CHAINS: 'off' } });
  merchant = await Merchant.register(dataFolder, service.baseUrl);
}, LIMIT_MS);

afterAll(async () => {
  await service.kill('SIGTERM');
  rmSync(dataFolder, { recursive: true, force: true });
});

it.each([
  ['currency_not_supported', { amount: '2500', currency: 'XYZ' }],
  ['invalid_amount', { amount: '25.00', currency: 'EUR' }],
])('explains %s where its own envelope says', async (code, order) => {
  const refused = await merchant.api.paymentIntents.create(order).then(
    () => null,
    (error: unknown) => error as RefusedError,
  );
  expect(refused).toMatchObject({ code });
  const page = await fetch(String(refused?.docUrl));
  expect(page.status).toBe(200);
  const title = /<h1[^>]*>(.*?)<\/h1>/.exec(await page.text())?.[1];
  expect(title?.replaceAll(/<[^>]*>/g, '')).toBe(code);
});

it('serves the contract that it keeps, from the build as from the sources', async () => {
  const contract = await OpenApiValidation.of(service.baseUrl);
  const order = { amount: '2500', currency: 'EUR', metadata: { order: '42' } };
  const made = await merchant.api.paymentIntents.create(order);
  const answer = { method: 'GET', path: `/v1/payment_intents/${made.id}`, status: 200 };
  expect(() => contract.check({ ...answer, body: made })).not.toThrow();
  expect(() => contract.check({ ...answer, body: { ...made, merchant_id: merchant.id } })).toThrow('getPaymentIntent');
});
