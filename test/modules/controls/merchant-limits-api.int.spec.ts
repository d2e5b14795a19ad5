import { merchantsReadModel } from '../../../src/modules/merchants/merchants.read-model';
import { ControlsStage } from './controls-stage';

const LIMIT_MS = 60_000;

let controls: ControlsStage;
beforeAll(async () => {
  controls = await ControlsStage.open();
}, LIMIT_MS);
afterAll(() => controls.close(), LIMIT_MS);

it('refuses payments above the ceiling, and books fees by the rate from then on', async () => {
  const { stage, there } = controls;
  const merchant = await stage.register(there);
  const create = (amount: string) => merchant.call('POST /v1/payment_intents', { body: { amount, currency: 'USD' } });
  const link = await merchant.done('POST /v1/payment_links', {
    body: { kind: 'fixed', amount: '10001', currency: 'USD' },
  });
  const open = () => merchant.call(`POST /v1/payment_links/${link.id}/payment_intents`, { body: {} });
  expect(await create('10001')).toMatchObject({ status: 200 });
  const set = (body: object) =>
    controls.act(`merchants/${merchant.id}/limits`, { payment_ceiling_usd: '10000', fee_bps: 75, ...body });
  expect(await set({})).toMatchObject({ status: 200, body: { permission: 'merchant.limits', target: merchant.id } });
  expect((await create('10001')).code).toBe('amount_too_large');
  expect((await open()).code).toBe('amount_too_large');
  expect(await create('10000')).toMatchObject({ status: 200 });
  const found = await stage.core.readModels.get(merchantsReadModel, 'platform', merchant.id);
  expect(found?.body).toMatchObject({ payment_ceiling_usd_minor_units: '10000', fee_bps: 75 });
  expect(await set({ payment_ceiling_usd: 10_001 })).toMatchObject({ status: 200 });
  expect(await create('10001')).toMatchObject({ status: 200 });
});

it.each([
  [{ payment_ceiling_usd: '0' }, 'invalid_amount'],
  [{ payment_ceiling_usd: '-5' }, 'invalid_amount'],
  [{ payment_ceiling_usd: 'much' }, 'invalid_amount'],
  [{ fee_bps: -1 }, 'invalid_bps'],
  [{ fee_bps: 1_001 }, 'invalid_bps'],
] as const)('%j is refused with %s', async (changes, code) => {
  const { id } = await controls.stage.register(controls.there);
  const body = { payment_ceiling_usd: '10000', fee_bps: 75, ...changes };
  expect((await controls.act(`merchants/${id}/limits`, body)).code).toBe(code);
});

it('knows no other merchant', async () => {
  const body = { payment_ceiling_usd: '10000', fee_bps: 75 };
  expect((await controls.act('merchants/mch_none/limits', body)).code).toBe('merchant_not_found');
});

it('is listed with the merchant’s limits', async () => {
  const { id } = await controls.stage.register(controls.there);
  await controls.act(`merchants/${id}/limits`, { payment_ceiling_usd: '500', fee_bps: 10 });
  const { body } = await controls.list('merchant_limits?limit=1');
  expect(body).toMatchObject({
    ...{ object: 'list', url: '/admin/merchant_limits', has_more: true },
    data: [{ object: 'merchant_limits', id, payment_ceiling_usd: '500', fee_bps: 10 }],
  });
});
