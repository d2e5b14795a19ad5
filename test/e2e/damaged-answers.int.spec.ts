import { recordId } from '../../src/platform/idempotency/fingerprint';
import { IDEMPOTENCY_RECORDS } from '../../src/platform/idempotency/idempotency-records';
import { ApiStage } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const LEASE_OVER_MS = 31_000;
const DAY_MS = 86_400_000;

type Stored = Readonly<Record<string, string | number>>;

let stage: ApiStage;
let merchant: StagedMerchant;
let keyId: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
  keyId = (await merchant.done('GET /v1/api_keys')).data[0].id;
}, LIMIT_MS);

afterAll(() => stage.close());

const order = (key: string) =>
  merchant.call('POST /v1/payment_intents', {
    body: { amount: '2500', currency: 'EUR' },
    headers: { 'idempotency-key': key },
  });
const payments = async () => (await merchant.done('GET /v1/payment_intents?limit=100')).data.length as number;

async function damage(key: string, change: (stored: Stored) => Stored): Promise<void> {
  const records = await stage.core.documents.open<Stored>(IDEMPOTENCY_RECORDS);
  const standing = await records.get(recordId(keyId, key));
  if (!standing) throw new Error(`no record of ${key}`);
  const next = { ...standing, version: standing.version + 1, body: change(standing.body) };
  if (!(await records.replace(next, standing.version))) throw new Error(`${key} was written by somebody else`);
}

it.each<[string, string, (stored: Stored) => Stored]>([
  ['a record that holds nonsense', 'idempotency_record_corrupt', () => ({ state: 'nonsense' })],
  ['a record that lacks its command', 'idempotency_record_corrupt', ({ command_id: _, ...rest }) => rest],
  [
    'an answer that another key has sealed',
    'idempotency_response_unreadable',
    stored => ({ ...stored, sealed_body: 'AAAA' }),
  ],
  ['an answer of another command', 'idempotency_response_unreadable', stored => ({ ...stored, command_id: 'another' })],
])('%s is %s: nothing is done twice, and a new key works', async (damaged, code, change) => {
  const key = `damaged: ${damaged}`;
  const first = await order(key);
  expect(first.status).toBe(200);
  const before = await payments();
  await damage(key, change);
  for (let again = 0; again < 2; again++) {
    const { status, body } = await order(key);
    expect([status, body.error.code, body.error.type]).toEqual([500, code, 'api_error']);
  }
  expect(await payments()).toBe(before);
  expect((await order(`${key}, new`)).status).toBe(200);
});

it('an owner that is gone is in use until its lease is over, and then what it did is found and answered', async () => {
  const key = 'left behind';
  const first = await order(key);
  const before = await payments();
  await damage(key, ({ http_status: _, sealed_body: __, ...claimed }) => ({
    ...claimed,
    state: 'working',
    holder: 'a process that died',
    leased_until: new Date(stage.clock.now() + LEASE_OVER_MS - 1_000).toISOString(),
  }));
  expect(await order(key)).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
  stage.clock.aheadMs += LEASE_OVER_MS;
  expect((await order(key)).body).toEqual(first.body);
  expect(await payments()).toBe(before);
});

it('a key is free again after a day, and not before', async () => {
  const key = 'of yesterday';
  const first = await order(key);
  stage.clock.aheadMs += DAY_MS - 60_000;
  expect((await order(key)).body).toEqual(first.body);
  stage.clock.aheadMs += 61_000;
  const next = await order(key);
  expect([next.status, next.body.id === first.body.id]).toEqual([200, false]);
});
