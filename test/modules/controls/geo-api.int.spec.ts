import { CustomerBrowser } from '../../web/customer-browser';
import { ControlsStage, ORDER } from './controls-stage';

const LIMIT_MS = 60_000;

let controls: ControlsStage;
beforeAll(async () => {
  controls = await ControlsStage.open();
}, LIMIT_MS);
afterAll(() => controls.close(), LIMIT_MS);

it('lets customers of a blocked country begin no payment, and carry on with those under way', async () => {
  const { merchant } = await controls.merchantWithWallet();
  const customer = new CustomerBrowser(controls.there);
  const payment = async () => String((await merchant.createIntent()).id);
  const statusOf = async (id: string) => (await merchant.done(`GET /v1/payment_intents/${id}`)).status;
  const [begun, other, third] = [await payment(), await payment(), await payment()];
  await customer.send(begun, 'method', { token_id: 'usdc-base' });
  expect(await controls.act('geo', { blocked_countries: ['DE', 'KP'] })).toMatchObject({ status: 200 });

  const refused = await customer.send(other, 'method', { token_id: 'usdc-base' });
  expect([refused.status, await statusOf(other)]).toEqual([403, 'created']);
  expect((await customer.open(`/checkout/${other}`)).status).toBe(200);
  // A customer names a transaction of a payment under way, wherever the customer is.
  const named = await customer.send(begun, 'claims', { tx_hash: 'no hash' });
  expect([named.status, await statusOf(begun)]).toEqual([400, 'awaiting_payment']);
  // A shop is no customer.
  expect(await merchant.call('POST /v1/payment_intents', { body: ORDER })).toMatchObject({ status: 200 });

  await controls.act('geo', { blocked_countries: ['KP'] });
  await customer.send(other, 'method', { token_id: 'usdc-base' });
  await customer.send(third, 'method', { token_id: 'usdc-base' });
  expect([await statusOf(other), await statusOf(third)]).toEqual(['awaiting_payment', 'awaiting_payment']);
});

it('refuses what is no country, and lists what is blocked', async () => {
  expect((await controls.act('geo', { blocked_countries: ['Germany'] })).code).toBe('invalid_geo_config');
  expect((await controls.act('geo', { blocked_countries: 'DE' })).code).toBe('invalid_geo_config');
  await controls.act('geo', { blocked_countries: ['CU'] });
  expect((await controls.list('geo')).body).toMatchObject({
    ...{ object: 'list', url: '/admin/geo', has_more: false },
    data: [{ object: 'geo_block', id: 'checkout', blocked_countries: ['CU'] }],
  });
});
