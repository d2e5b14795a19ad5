import { List, type ListPage } from '../../../clients/typescript/src/list';
import { ApiStage } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;

type Change = { readonly id: string; readonly revision: number; readonly type: string };

let stage: ApiStage;
let merchant: StagedMerchant;
let path: string;
let other: string;

/** A payment with three events, and another one with two. */
beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
  const { id: wallet } = await merchant.registerWallet({ network_id: 'base' });
  await merchant.verifyWallet(wallet);
  const route = { asset_symbol: 'USDC', network_id: 'base', wallet_id: wallet };
  await merchant.done('PUT /v1/routes', { body: { routes: [route] } }, true);
  const [first, second] = [await merchant.createIntent(), await merchant.createIntent()];
  const body = { token_id: 'usdc-base', wallet_id: wallet };
  await merchant.done(`POST /v1/payment_intents/${first.id}/select_method`, { body });
  for (const { id } of [first, second]) await merchant.done(`POST /v1/payment_intents/${id}/cancel`);
  path = `/v1/payment_intents/${first.id}/events`;
  other = `/v1/payment_intents/${second.id}/events`;
}, LIMIT_MS);

afterAll(() => stage.close());

const page = (query: string): Promise<ListPage<Change>> => merchant.done(`GET ${path}?${query}`);

it('comes by pages, oldest first, each change with an id of its own', async () => {
  const first = await page('limit=2');
  expect(first).toMatchObject({ object: 'list', url: path, has_more: true });
  expect(first.data.map(({ type }) => type)).toStrictEqual(['created', 'method_selected']);
  const last = await page(`limit=2&starting_after=${first.data[1]?.id}`);
  expect(last).toMatchObject({ has_more: false, data: [{ revision: 2, type: 'canceled' }] });
  const whole = await page('');
  expect(whole).toStrictEqual({ object: 'list', url: path, has_more: false, data: [...first.data, ...last.data] });
  expect(new Set(whole.data.map(({ id }) => id)).size).toBe(3);
  expect(whole.data[0]?.id).toMatch(/^pev_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(await page(`starting_after=${last.data[0]?.id}`)).toMatchObject({ has_more: false, data: [] });
});

it('is read to its end by the client, whatever the length of its pages', async () => {
  const list = new List<Change>(after => page(`limit=1${after === null ? '' : `&starting_after=${after}`}`));
  const revisions: number[] = [];
  for await (const { revision } of list) revisions.push(revision);
  expect(revisions).toStrictEqual([0, 1, 2]);
});

it.each([
  ['limit=0', 'invalid_limit', 'limit'],
  ['limit=101', 'invalid_limit', 'limit'],
  ['starting_after=', 'invalid_cursor', 'starting_after'],
  ['starting_after=pev_00000000000000000000000000', 'invalid_cursor', 'starting_after'],
  ['status=created', 'invalid_filter', 'status'],
])('refuses ?%s', async (query, code, param) => {
  const { status, body } = await merchant.call(`GET ${path}?${query}`);
  expect([status, body.error.code, body.error.param]).toStrictEqual([400, code, param]);
});

it("takes no change of another payment's history as a cursor", async () => {
  const { data } = (await merchant.done(`GET ${other}`)) as ListPage<Change>;
  const refused = await merchant.call(`GET ${path}?starting_after=${data[0]?.id}`);
  expect([refused.status, refused.code]).toStrictEqual([400, 'invalid_cursor']);
});

it("tells nobody of another merchant's payment, of an unknown one, or of a text that is no id", async () => {
  const stranger = await stage.register(await stage.startInstance());
  const answers = [
    await stranger.call(`GET ${path}`),
    await merchant.call('GET /v1/payment_intents/pi_00000000000000000000000000/events'),
    await merchant.call('GET /v1/payment_intents/none/events'),
  ];
  for (const { status, code } of answers) expect([status, code]).toStrictEqual([404, 'payment_not_found']);
});
