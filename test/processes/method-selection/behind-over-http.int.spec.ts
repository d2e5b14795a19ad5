import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { ApiStage } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;

let stage: ApiStage;
let merchant: StagedMerchant;
let walletId: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
  walletId = (await merchant.registerWallet()).id;
  await merchant.verifyWallet(walletId);
  const route = { asset_symbol: 'USDC', network_id: 'base', wallet_id: walletId };
  await merchant.done('PUT /v1/routes', { body: { routes: [route] } }, true);
}, LIMIT_MS);

afterAll(() => stage.close());

async function select() {
  const { id } = await merchant.createIntent();
  return merchant.call(`POST /v1/payment_intents/${id}/select_method`, {
    body: { token_id: 'usdc-base', wallet_id: walletId },
  });
}

it('gives a quote while the network is read, and none while it is read more than five minutes behind', async () => {
  expect(await select()).toMatchObject({ status: 200, body: { status: 'awaiting_payment' } });
  // The stage is read up to a block of the day after it was opened.
  stage.clock.aheadMs = DAY_MS + 6 * MINUTE_MS;
  const message = 'Base is read too far behind its head to take quotes; try again later.';
  const refused = await select();
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'provider_unavailable', message } } });
  expect(refused.headers['retry-after']).toBe('60');
});
