import { operatorContext } from '../../src/cli/operator-context';
import { ROTATION_GRACE_MS } from '../../src/modules/api-keys/api-key.decider';
import { merchants } from '../../src/modules/merchants/merchant.decider';
import { OUTBOX_COLLECTION, type OutboxDocument } from '../../src/modules/outbox/outbox';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Two instances of the API over one pair of stores; the second one has answered the merchant before each case. */
describe('a withdrawal that was answered at one instance', () => {
  let stage: ApiStage;
  let instances: readonly [ApiInstance, ApiInstance];
  let here: StagedMerchant;
  let there: StagedMerchant;
  let mirrors = true;

  beforeAll(async () => {
    stage = await ApiStage.open();
    instances = [
      await stage.startInstance({ mirrors: () => mirrors }),
      await stage.startInstance({ mirrors: () => mirrors }),
    ];
  }, LIMIT_MS);
  beforeEach(async () => {
    mirrors = true;
    here = await stage.register(instances[0]);
    there = here.at(instances[1].caller);
    for (const merchant of [here, there]) await merchant.createIntent();
  });
  afterAll(() => stage.close(), LIMIT_MS);

  describe.each([true, false])('with its mirrors written: %s', isMirrored => {
    it('ends a key at the other one with the next request', async () => {
      const { id, secret: key } = await here.mintKey({ kind: 'sk', scopes: ['payment:create'] });
      await there.createIntent({}, { key });
      mirrors = isMirrored;
      await here.done(`POST /v1/api_keys/${id}/revoke`, {}, true);
      expect(await there.call('GET /v1/payment_intents', { key })).toMatchObject({ code: 'api_key_revoked' });
    });

    it('ends a rotated key at its end, and lets its successor in', async () => {
      const { id, secret: key } = await here.mintKey({ kind: 'sk', scopes: ['payment:create', 'key:manage'] });
      await there.createIntent({}, { key });
      const { secret } = await here.done(`POST /v1/api_keys/${id}/rotate`, { key }, true);
      mirrors = isMirrored;
      await there.createIntent({}, { key: secret });
      await here.done('POST /v1/sandbox/clock', { body: { advance_ms: ROTATION_GRACE_MS } });
      expect(await there.call('GET /v1/payment_intents', { key })).toMatchObject({ code: 'api_key_expired' });
    });

    it('shuts an account out, and lets it in again', async () => {
      mirrors = isMirrored;
      await decideAccount('disable');
      expect(await there.call('GET /v1/payment_intents')).toMatchObject({ code: 'account_disabled' });
      await decideAccount('enable');
      expect(await there.call('GET /v1/payment_intents')).toMatchObject({ status: 200 });
    });

    it('takes a token away from new payments, and gives them the new place to go to', async () => {
      mirrors = isMirrored;
      await here.done('POST /v1/settings', { body: { default_success_url: 'https://shop.example/thanks' } });
      expect((await there.createIntent()).success_url).toBe('https://shop.example/thanks');
      await here.done('POST /v1/settings', { body: { enabled_tokens: ['usdc-base'] } });
      // A price below the floor of TRON alone.
      expect(await there.createIntent({ amount: '50' })).toMatchObject({ status: 'created' });
      await here.done('POST /v1/settings', { body: { enabled_tokens: ['usdt-tron'] } });
      const body = { amount: '50', currency: 'EUR' };
      expect(await there.call('POST /v1/payment_intents', { body })).toMatchObject({ code: 'amount_too_small' });
    });

    it('moves the clock by which the other one creates', async () => {
      mirrors = isMirrored;
      await here.done('POST /v1/sandbox/clock', { body: { advance_ms: HOUR_MS } });
      const { created } = await there.createIntent();
      expect(Date.parse(String(created)) - stage.clock.now()).toBeGreaterThan(HOUR_MS - LIMIT_MS);
    });
  });

  it('is offered by mail, once, where a key sends too many wrong codes', async () => {
    const { id, secret: key } = await here.mintKey({ kind: 'rk', scopes: ['wallet:manage'] });
    const right = Number(here.nextCode());
    const code = String((right + 500_000) % 1_000_000).padStart(6, '0');
    const body = { method: 'totp', code, action: 'wallet.create' };
    const tried = [];
    for (let count = 0; count < 12; count++) tried.push((await there.call('POST /v1/mfa/proofs', { key, body })).code);
    expect(tried.slice(8)).toEqual(['mfa_proof_invalid', 'mfa_proof_invalid', 'rate_limit', 'rate_limit']);
    const outbox = await stage.core.documents.open<OutboxDocument>(OUTBOX_COLLECTION);
    const queued = await outbox.list({ index: 'by_due', equals: { status: 'queued' }, limit: 10 });
    expect(queued.map(mail => mail.body)).toMatchObject([
      { to: expect.stringMatching(/^owner\d+@/), text: expect.stringContaining(`/v1/api_keys/${id}/revoke`) },
    ]);
  });

  /** Decides as the command line does, in a process of its own. */
  async function decideAccount(type: 'disable' | 'enable'): Promise<void> {
    const context = { ...operatorContext({ ...stage.core, user: 'alice' }), merchantId: here.id };
    await stage.core.writes.execute(merchants, here.id, { type, reason: 'a complaint' }, context);
  }
});
