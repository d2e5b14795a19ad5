import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { developmentWallet } from '../../support/customer';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const GRACE_MS = 7 * DAY_MS;

/** Two instances of the API over one engine: a change at one of them holds at the other's next request. */
describe('a merchant’s clock of test mode', () => {
  let stage: ApiStage;
  let instances: readonly [ApiInstance, ApiInstance];
  let merchant: StagedMerchant;
  let elsewhere: StagedMerchant;
  let other: StagedMerchant;

  beforeAll(async () => {
    stage = await ApiStage.open();
    instances = [await stage.startInstance(), await stage.startInstance()];
  }, LIMIT_MS);

  beforeEach(async () => {
    merchant = await stage.register(instances[0]);
    elsewhere = merchant.at(instances[1].caller);
    other = await stage.register(instances[0]);
  }, LIMIT_MS);

  afterAll(() => stage.close());

  const advance = (byMs: number) => merchant.done('POST /v1/sandbox/clock', { body: { advance_ms: byMs } });

  it('is advanced at one instance and shown by the other', async () => {
    await advance(HOUR_MS);
    expect(await elsewhere.done('GET /v1/sandbox/clock')).toMatchObject({ advanced_ms: HOUR_MS });
    const { created } = await elsewhere.createIntent();
    expect(Date.parse(String(created)) - stage.core.clock.now()).toBeGreaterThan(HOUR_MS - MINUTE_MS);
    const untouched = await other.createIntent();
    expect(Date.parse(String(untouched.created)) - stage.core.clock.now()).toBeLessThan(MINUTE_MS);
  });

  it('is answered by an advance as it is shown afterwards', async () => {
    const untouched = { object: 'sandbox_clock', mode: 'test', advanced_ms: 0, advanced_at: null };
    expect(await merchant.done('GET /v1/sandbox/clock')).toMatchObject(untouched);
    expect(await advance(0)).toMatchObject(untouched);
    await advance(MINUTE_MS);
    const answer = await advance(MINUTE_MS);
    const shown = await elsewhere.done('GET /v1/sandbox/clock');
    expect(answer).toMatchObject({ advanced_ms: 2 * MINUTE_MS, advanced_at: expect.any(String) as string });
    expect({ ...shown, now: null }).toEqual({ ...answer, now: null });
  });

  it('ends the last days of a rotated key', async () => {
    const old = await merchant.mintKey();
    const theirs = await other.mintKey();
    await merchant.done(`POST /v1/api_keys/${old.id}/rotate`, {}, true);
    await other.done(`POST /v1/api_keys/${theirs.id}/rotate`, {}, true);
    await advance(GRACE_MS - MINUTE_MS);
    expect(await elsewhere.call('GET /v1/payment_intents', { key: old.secret })).toMatchObject({ status: 200 });
    await advance(MINUTE_MS);
    expect(await elsewhere.call('GET /v1/payment_intents', { key: old.secret })).toMatchObject({
      status: 401,
      code: 'api_key_expired',
    });
    expect(await elsewhere.done(`GET /v1/api_keys/${old.id}`)).toMatchObject({ status: 'expired' });
    expect(await other.call('GET /v1/payment_intents', { key: theirs.secret })).toMatchObject({ status: 200 });
  });

  it('ends the cool-down of a route', async () => {
    const first = await verified(5);
    const second = await verified(6);
    await merchant.routeTo(first);
    await merchant.routeTo(second);
    const change = { body: { routes: [{ asset_symbol: 'USDC', network_id: 'base', wallet_id: first }] } };
    const sent = () => elsewhere.call('PUT /v1/routes', { ...change, headers: { 'mfa-code': merchant.nextCode() } });
    expect(await sent()).toMatchObject({ status: 409, code: 'route_cooling_down' });
    await advance(DAY_MS);
    const [cooled] = (await elsewhere.done('GET /v1/routes')).data;
    expect(cooled).toMatchObject({ wallet_id: second, cooling_down_until: null });
    expect(await sent()).toMatchObject({ status: 200 });
  });

  it('ends the day in which a rolled secret still signs', async () => {
    const { id } = await merchant.createEndpoint();
    await merchant.done(`POST /v1/webhook_endpoints/${id}/roll_secret`, {}, true);
    const secrets = async () => (await elsewhere.done(`GET /v1/webhook_endpoints/${id}`)).secrets;
    expect(await secrets()).toHaveLength(2);
    await advance(DAY_MS);
    expect(await secrets()).toHaveLength(1);
  });

  it('is not what one-time codes and idempotency keys go by', async () => {
    await advance(3_000 * DAY_MS);
    expect(await merchant.mintKey()).toMatchObject({ status: 'active' });
    const sent = () =>
      elsewhere.call('POST /v1/payment_intents', {
        body: { amount: '2500', currency: 'EUR' },
        headers: { 'idempotency-key': 'order-1' },
      });
    const [first, again] = [await sent(), await sent()];
    expect(again.body).toStrictEqual(first.body);
  });

  async function verified(index: number): Promise<string> {
    const owner = developmentWallet(index);
    const { id } = await merchant.registerWallet({ address: owner.address });
    await merchant.verifyWallet(String(id), owner);
    return String(id);
  }
});
