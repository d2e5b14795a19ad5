import type { StagedMerchant } from '../../support/staged-merchant';
import { ControlsStage, ORDER } from './controls-stage';

const LIMIT_MS = 60_000;

let controls: ControlsStage;
beforeAll(async () => {
  controls = await ControlsStage.open();
}, LIMIT_MS);
afterAll(() => controls.close(), LIMIT_MS);

const setLimit = (changes: object) =>
  controls.act('velocity_limits', { window_ms: 60_000, max_count: 2, max_amount_usd: '1000000', ...changes });
const create = (merchant: StagedMerchant) => merchant.call('POST /v1/payment_intents', { body: ORDER });

it('limits each merchant by itself, however a payment begins, until the limit is lifted', async () => {
  const { stage, there } = controls;
  const [one, other] = [await stage.register(there), await stage.register(there)];
  const link = await one.done('POST /v1/payment_links', { body: { kind: 'fixed', ...ORDER } });
  const draft = await one.done('POST /v1/invoices', { body: ORDER });
  const begins = [
    () => create(one),
    () => one.call(`POST /v1/payment_links/${link.id}/payment_intents`, { body: {} }),
    () => one.call(`POST /v1/invoices/${draft.id}/issue`),
  ];
  expect(await setLimit({ subject: 'merchant' })).toMatchObject({ status: 200, body: { target: 'merchant' } });
  for (const begin of begins.slice(0, 2)) expect(await begin()).toMatchObject({ status: 200 });
  for (const begin of begins) {
    const { code, headers } = await begin();
    expect(code).toBe('rate_limit');
    expect(Number(headers['retry-after'])).toBeGreaterThan(50);
  }
  expect(await create(other)).toMatchObject({ status: 200 });
  await controls.act('velocity_limits/merchant/lift', { reason: 'Enough.' });
  for (const begin of begins) expect(await begin()).toMatchObject({ status: 200 });
});

it('limits each wallet where a method is selected, and counts no refused selection', async () => {
  const [one, other] = [await controls.merchantWithWallet(), await controls.merchantWithWallet()];
  const select = async ({ merchant, walletId }: typeof one, id?: string) => {
    const payment = id ?? (await merchant.createIntent()).id;
    const body = { token_id: 'usdc-base', wallet_id: walletId };
    return merchant.call(`POST /v1/payment_intents/${payment}/select_method`, { body });
  };
  // A payment of 25.00 EUR is worth more than 20 dollars, and two of them more than 50.
  await setLimit({ subject: 'wallet', max_count: 10, max_amount_usd: '5000' });
  const selected = await select(one);
  expect(selected).toMatchObject({ status: 200 });
  for (let each = 0; each < 3; each++)
    expect(await select(one, selected.body.id)).toMatchObject({ code: 'invalid_state_transition' });
  expect(await select(one)).toMatchObject({ code: 'rate_limit' });
  expect(await select(other)).toMatchObject({ status: 200 });
  await controls.act('velocity_limits/wallet/lift', { reason: 'Enough.' });
  expect(await select(one)).toMatchObject({ status: 200 });
});

it.each([
  [{ subject: 'country' }, 'invalid_velocity_subject'],
  [{ subject: 'merchant', window_ms: 999 }, 'invalid_velocity_window'],
  [{ subject: 'merchant', window_ms: '60000' }, 'invalid_velocity_window'],
  [{ subject: 'merchant', max_count: -1 }, 'invalid_velocity_limits'],
  [{ subject: 'merchant', max_count: 1.5 }, 'invalid_velocity_limits'],
  [{ subject: 'merchant', max_amount_usd: '-1' }, 'invalid_velocity_limits'],
  [{ subject: 'merchant', max_amount_usd: 'much' }, 'invalid_velocity_limits'],
] as const)('%j is refused with %s', async (changes, code) => {
  expect((await setLimit(changes)).code).toBe(code);
});

it('lists the limits that stand', async () => {
  await setLimit({ subject: 'payer_address', max_count: 3, max_amount_usd: 0 });
  const { body } = await controls.list('velocity_limits');
  expect(body).toMatchObject({
    ...{ object: 'list', url: '/admin/velocity_limits', has_more: false },
    data: [{ object: 'velocity_limit', id: 'payer_address', max_count: 3, max_amount_usd: '0', window_ms: 60_000 }],
  });
});
