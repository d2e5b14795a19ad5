import { randomUUID } from 'node:crypto';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import { RoundTrips } from '../support/round-trips';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const BEHIND = 'api_key_uses';

describe('the round trips of a request to the engines', () => {
  const trips = new RoundTrips();
  let stage: ApiStage;
  let instance: ApiInstance;
  let merchant: StagedMerchant;

  beforeAll(async () => {
    stage = await ApiStage.open();
    instance = await stage.startInstance({ trips });
    merchant = await stage.register(instance);
    // What is read once a process is read by now.
    await merchant.createIntent();
    await merchant.createIntent({}, { headers: { 'idempotency-key': randomUUID() } });
  }, LIMIT_MS);
  afterAll(() => stage.close(), LIMIT_MS);

  /** In order, without what a process writes behind once a second. */
  async function asked(work: () => Promise<unknown>): Promise<readonly string[]> {
    return (await trips.during(work)).filter(each => !each.endsWith(BEHIND));
  }

  it('are three for a new payment', async () => {
    expect(await asked(() => merchant.createIntent())).toEqual([
      'getAll access',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
  });

  it('are two more with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect(await asked(() => merchant.createIntent({}, { headers }))).toEqual([
      'getAll access',
      'insert idempotency_records',
      'append payment_intent',
      'putNewer payment_intents',
      'replace idempotency_records',
    ]);
  });

  it('are two for a replay', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await merchant.createIntent({}, { headers });
    let again: { id: string } | null = null;
    expect(await asked(async () => (again = await merchant.createIntent({}, { headers })))).toEqual([
      'getAll access',
      'get idempotency_records',
    ]);
    expect(again).toEqual(first);
  });

  it('are one more for a cancellation where the payment was made, and two more elsewhere', async () => {
    const { id } = await merchant.createIntent();
    expect(await asked(() => merchant.done(`POST /v1/payment_intents/${id}/cancel`))).toEqual([
      'getAll access',
      'append payment_intent',
      'deleteUpTo expected_payments',
      'putNewer payment_intents',
    ]);
    const there = merchant.at((await stage.startInstance()).caller);
    const { id: made } = await there.createIntent();
    expect(await asked(() => merchant.done(`POST /v1/payment_intents/${made}/cancel`))).toEqual([
      'getAll access',
      'readStream payment_intent',
      'append payment_intent',
      'deleteUpTo expected_payments',
      'putNewer payment_intents',
    ]);
  });

  it('read the payment, the wallet and the routes once where a method is selected', async () => {
    const { id: walletId } = await merchant.registerWallet();
    await merchant.verifyWallet(String(walletId));
    await merchant.routeTo(String(walletId));
    const body = { token_id: 'usdc-base', wallet_id: walletId };
    const { id: first } = await merchant.createIntent();
    await merchant.done(`POST /v1/payment_intents/${first}/select_method`, { body });
    const { id } = await merchant.createIntent();
    expect(await asked(() => merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body }))).toEqual([
      'getAll access',
      'readStream payment_intent',
      'getAll access',
      'get coverage',
      'get wallets',
      'readStream wallet',
      'list wallets',
      'readStream routes',
      'get coverage',
      'readStream amount_slot',
      'append amount_slot',
      'append payment_intent',
      'putNewer expected_payments',
      'putNewer payment_intents',
      'get coverage',
    ]);
  });

  it('are one for a request that is refused for its body', async () => {
    const body = { amount: '2500', currency: 'eur' };
    expect(await asked(() => merchant.call('POST /v1/payment_intents', { body }))).toEqual(['getAll access']);
  });
});
