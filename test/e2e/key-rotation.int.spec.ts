import type { IdempotencyRecord } from '../../src/platform/idempotency/idempotency-record';
import { IDEMPOTENCY_RECORDS } from '../../src/platform/idempotency/idempotency-records';
import { OneTimeCodes } from '../support/one-time-codes';
import { ServiceInProcess } from '../support/service-in-process';
import { WebhookReceiver } from '../support/webhook-receiver';

const LIMIT_MS = 60_000;
const DELIVERY_MS = 20_000;
const [OLD, NEW] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string];
const ORDER = { amount: '2500', currency: 'EUR' };

let service: ServiceInProcess;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [service, receiver] = await Promise.all([ServiceInProcess.start({ SECRET_KEY: OLD }), WebhookReceiver.start()]);
}, LIMIT_MS);
afterAll(() => Promise.all([service.stop(), receiver.close()]), LIMIT_MS);

/** Puts the newest record back to the state of a process that died at work, before it kept its answer. */
async function loseNewestAnswer(): Promise<void> {
  await service.beside(async ({ documents }) => {
    const records = await documents.open<IdempotencyRecord>(IDEMPOTENCY_RECORDS);
    const [newest] = await records.list({ index: 'by_insert', equals: {}, descending: true, limit: 1 });
    if (!newest) throw new Error('no record was kept');
    const { fingerprint, command_id, commanded_at_ms, inserted_at, owner } = newest.body;
    const command = { fingerprint, command_id, commanded_at_ms, inserted_at, owner };
    const body = { ...command, state: 'working', holder: 'a process that died', leased_until: inserted_at } as const;
    await records.replace({ ...newest, version: newest.version + 1, body }, newest.version);
  });
}

it('goes on with a new SECRET_KEY: codes, webhooks, kept answers and ids', async () => {
  const { keys, totp_secret: totpSecret } = await service.register('Corner Shop');
  const [key, codes] = [keys.test, new OneTimeCodes(totpSecret)];
  const coded = async () => ({ 'mfa-code': await codes.next() });
  const pay = (headers: Readonly<Record<string, string>> = {}) =>
    service.ask('POST /v1/payment_intents', { key, body: ORDER, headers });
  const body = { url: receiver.url, enabled_events: ['*'] };
  const endpoint = await service.ask('POST /v1/webhook_endpoints', { key, body, headers: await coded() });
  expect(endpoint.status).toBe(200);
  receiver.secret = endpoint.body.secret;
  const kept = await pay({ 'idempotency-key': 'kept' });
  const lost = await pay({ 'idempotency-key': 'lost' });
  expect([kept.status, lost.status]).toEqual([200, 200]);
  await loseNewestAnswer();

  service.configure({ SECRET_KEY: NEW, SECRET_KEY_FORMER: OLD });
  // The keys of the service and of the merchant: for its user, and for test mode.
  expect(await service.run('keys', 'rotate')).toMatchObject({ data_keys: 3, wrapped: 3, exitCode: 0 });
  // The process that runs with the former key goes on.
  expect((await pay({ 'idempotency-key': 'meanwhile' })).status).toBe(200);
  service.configure({ SECRET_KEY_FORMER: '' });
  await service.restart();

  expect((await pay({ 'idempotency-key': 'kept' })).text).toBe(kept.text);
  expect((await pay({ 'idempotency-key': 'lost' })).body).toMatchObject({ id: lost.body.id });
  const minting = { kind: 'rk', name: 'Till', scopes: ['payment:read'] };
  const minted = await service.ask('POST /v1/api_keys', { key, body: minting, headers: await coded() });
  expect(minted.status).toBe(200);
  const { body: paid } = await pay();
  const told = await receiver.waitFor('payment.created', paid.id, DELIVERY_MS);
  expect([told.data.id, receiver.refused]).toEqual([paid.id, 0]);
}, LIMIT_MS); // prettier-ignore
