import { randomUUID } from 'node:crypto';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;
const NEVER = 'plink_00000000000000000000000000';
const CLIENTS = 64;
const MOST_USES = 10;
const FIXED = { kind: 'fixed', currency: 'EUR', amount: '2500' };
const OPEN = { kind: 'open', currency: 'EUR', min_amount: '500', max_amount: '50000' };

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
}, LIMIT_MS);
afterAll(() => stage.close());

const create = (changes: object = {}, of = FIXED as object) =>
  merchant.done('POST /v1/payment_links', { body: { ...of, ...changes } });
const open = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  merchant.call(`POST /v1/payment_links/${id}/payment_intents`, { body, headers });
const typesOf = async (stream: string) => (await stage.core.store.readStream(stream)).map(({ type }) => type);

it('makes a link, with one event, and gives it back', async () => {
  const terms = { description: 'A ticket', metadata: { order: '42' }, success_url: 'https://shop.example/thanks' };
  const made = await create({ ...terms, max_uses: 3, expires_at: '2030-01-01T00:00:00Z' });
  expect(made).toStrictEqual({
    id: expect.stringMatching(/^plink_[0-9a-z]{26}$/),
    object: 'payment_link',
    mode: 'test',
    active: true,
    kind: 'fixed',
    currency: 'EUR',
    currency_decimals: 2,
    amount: '2500',
    min_amount: null,
    max_amount: null,
    ...terms,
    max_uses: 3,
    expires_at: '2030-01-01T00:00:00.000Z',
    use_count: 0,
    url: `${stage.core.config.publicUrl}/pay/${made.id}`,
    created: expect.any(String),
    deactivated_at: null,
  });
  expect(await merchant.done(`GET /v1/payment_links/${made.id}`)).toStrictEqual(made);
  expect(await typesOf(`test.payment_link-${made.id}`)).toStrictEqual(['PaymentLinkCreated']);
});

it.each<[string, string, object]>([
  ['a link that has no amount', 'parameter_missing', { ...FIXED, amount: undefined }],
  ['a fixed link with a bound', 'parameter_invalid', { ...FIXED, min_amount: '1' }],
  ['an open link with an amount', 'parameter_invalid', { ...OPEN, amount: '1' }],
  ['an open link without its upper bound', 'parameter_missing', { ...OPEN, max_amount: null }],
  ['bounds the wrong way round', 'invalid_amount_range', { ...OPEN, min_amount: '50001' }],
  ['another kind', 'parameter_invalid', { ...FIXED, kind: 'any' }],
  ['an amount of a fraction', 'invalid_amount', { ...FIXED, amount: '25.00' }],
  ['no uses at all', 'parameter_invalid_integer', { ...FIXED, max_uses: 0 }],
  ['an end that is no moment', 'invalid_timestamp', { ...FIXED, expires_at: 'tomorrow' }],
  ['an end that has been', 'parameter_invalid', { ...FIXED, expires_at: '2020-01-01T00:00:00Z' }],
  ['a currency without a rate', 'currency_not_supported', { ...FIXED, currency: 'XPF' }],
  ['a currency that is none', 'currency_not_supported', { ...FIXED, currency: 'XYZ' }],
  ['a page that is no address', 'parameter_invalid', { ...FIXED, success_url: 'javascript:1' }],
  ['metadata of numbers', 'invalid_metadata_value', { ...FIXED, metadata: { order: 42 } }],
  ['a field of a payment', 'parameter_invalid', { ...FIXED, status: 'created' }],
])('refuses %s: %s', async (_, code, body) => {
  const before = await stage.core.store.lastPosition();
  expect((await merchant.call('POST /v1/payment_links', { body })).code).toBe(code);
  expect(await stage.core.store.lastPosition()).toBe(before);
});

it('opens payments, each of which counts one use and names the link', async () => {
  await merchant.done('POST /v1/settings', { body: { default_success_url: 'https://shop.example/all' } });
  const link = await create({ description: 'A ticket', metadata: { order: '42' } });
  const { status, body: payment } = await open(link.id);
  expect(status).toBe(200);
  expect(payment).toMatchObject({
    object: 'payment_intent',
    status: 'created',
    amount: '2500',
    description: 'A ticket',
    metadata: { order: '42' },
    success_url: 'https://shop.example/all',
    payment_link: link.id,
    invoice: null,
  });
  await open(link.id);
  expect(await merchant.done(`GET /v1/payment_links/${link.id}`)).toMatchObject({ use_count: 2 });
  expect(await typesOf(`test.payment_link-${link.id}`)).toStrictEqual([
    'PaymentLinkCreated',
    'PaymentLinkUsed',
    'PaymentLinkUsed',
  ]);
  expect(await typesOf(`test.payment_intent-${payment.id}`)).toStrictEqual(['PaymentIntentCreated']);
  const listed = await merchant.done(`GET /v1/payment_intents?payment_link=${link.id}`);
  expect(listed.data).toHaveLength(2);
  const own = await create({ success_url: 'https://shop.example/own' });
  expect((await open(own.id)).body).toMatchObject({ success_url: 'https://shop.example/own' });
});

it('takes the amount of an open link within its bounds', async () => {
  const { id } = await create({}, OPEN);
  expect((await open(id, { amount: 500 })).body).toMatchObject({ amount: '500', payment_link: id });
  expect((await open(id, { amount: '50000' })).body).toMatchObject({ amount: '50000' });
  for (const [code, body] of [
    ['amount_too_small', { amount: '499' }],
    ['amount_too_large', { amount: '50001' }],
    ['parameter_missing', {}],
    ['invalid_amount', { amount: '12.00' }],
  ] as const)
    expect((await open(id, body)).code).toBe(code);
  expect((await open((await create()).id, { amount: '2500' })).code).toBe('parameter_invalid');
  expect(await merchant.done(`GET /v1/payment_links/${id}`)).toMatchObject({ use_count: 2 });
});

it('counts no use for an amount that cannot be quoted', async () => {
  const dear = await create({ amount: '900000000000' });
  expect((await open(dear.id)).code).toBe('amount_too_large');
  const cheap = await create({ amount: '1' });
  expect((await open(cheap.id)).code).toBe('amount_too_small');
  expect(await typesOf(`test.payment_link-${dear.id}`)).toStrictEqual(['PaymentLinkCreated']);
});

it('answers the same payment to a repeated call', async () => {
  const { id } = await create({ max_uses: 1 });
  const headers = { 'idempotency-key': randomUUID() };
  const first = await open(id, {}, headers);
  const again = await open(id, {}, headers);
  expect(again.body).toStrictEqual(first.body);
  expect((await open(id)).code).toBe('invalid_state_transition');
  expect(await merchant.done(`GET /v1/payment_links/${id}`)).toMatchObject({ use_count: 1, active: true });
});

it('opens no payment after its end, by the clock of the sandbox', async () => {
  const shop = await stage.register(instance);
  const { now } = await shop.done('GET /v1/sandbox/clock');
  const expires_at = new Date(Date.parse(now) + DAY_MS).toISOString();
  const { id } = await shop.done('POST /v1/payment_links', { body: { ...FIXED, expires_at } });
  await shop.done(`POST /v1/payment_links/${id}/payment_intents`, { body: {} });
  await shop.done('POST /v1/sandbox/clock', { body: { advance_ms: DAY_MS } });
  const late = await shop.call(`POST /v1/payment_links/${id}/payment_intents`, { body: {} });
  expect(late).toMatchObject({ status: 409, code: 'invalid_state_transition' });
});

it('is deactivated for good, once and again, and the list tells it apart', async () => {
  const shop = await stage.register(instance);
  const make = () => shop.done('POST /v1/payment_links', { body: FIXED });
  const [first, second] = [await make(), await make()];
  const ended = await shop.done(`POST /v1/payment_links/${first.id}/deactivate`);
  expect(ended).toMatchObject({ active: false, deactivated_at: expect.any(String) });
  expect(await shop.done(`POST /v1/payment_links/${first.id}/deactivate`)).toStrictEqual(ended);
  const refused = await shop.call(`POST /v1/payment_links/${first.id}/payment_intents`, { body: {} });
  expect(refused).toMatchObject({ status: 409, code: 'invalid_state_transition' });
  const listed = async (query: string) =>
    (await shop.done(`GET /v1/payment_links${query}`)).data.map(({ id }: { id: string }) => id);
  expect(await listed('')).toStrictEqual([second.id, first.id]);
  expect(await listed('?active=true')).toStrictEqual([second.id]);
  expect(await listed('?active=false')).toStrictEqual([first.id]);
  expect(await listed(`?limit=1&starting_after=${second.id}`)).toStrictEqual([first.id]);
  expect((await shop.call('GET /v1/payment_links?active=yes')).code).toBe('invalid_filter');
  expect(await typesOf(`test.payment_link-${first.id}`)).toStrictEqual([
    'PaymentLinkCreated',
    'PaymentLinkDeactivated',
  ]);
});

it('is its own merchant’s in its own mode alone', async () => {
  const { id } = await create();
  const other = await stage.register(instance);
  const { live } = merchant.registered.keys;
  for (const line of [
    `GET /v1/payment_links/${id}`,
    `POST /v1/payment_links/${id}/deactivate`,
    `POST /v1/payment_links/${id}/payment_intents`,
  ]) {
    const ask = line.endsWith('payment_intents') ? { body: {} } : {};
    expect(await other.call(line, ask)).toMatchObject({ status: 404, code: 'resource_missing' });
    expect(await merchant.call(line, { ...ask, key: live })).toMatchObject({ status: 404, code: 'resource_missing' });
    const unknown = await merchant.call(line.replace(id, NEVER), ask);
    expect(unknown).toMatchObject({ status: 404, code: 'resource_missing' });
  }
  expect(await merchant.done(`GET /v1/payment_links/${id}`)).toMatchObject({ active: true, use_count: 0 });
});

it(
  'makes as many payments as its limit allows, of clients of two instances at once',
  async () => {
    const second = await stage.startInstance();
    const { id } = await create({ max_uses: MOST_USES });
    const callers = [merchant, merchant.at(second.caller)];
    const asked = Array.from({ length: CLIENTS }, (_, client) =>
      (callers[client % callers.length] as StagedMerchant).call(`POST /v1/payment_links/${id}/payment_intents`, {
        body: {},
        headers: { 'idempotency-key': randomUUID() },
      }),
    );
    const answers = await Promise.all(asked);
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.id as string);
    const refused = answers.filter(({ status }) => status !== 200).map(({ code }) => code);
    const winners = answers.flatMap(({ status }, client) => (status === 200 ? [client] : []));
    process.stdout.write(`winners by client: ${winners.join(' ')}; refused: ${refused.length}\n`);
    expect(new Set(made).size).toBe(MOST_USES);
    expect(new Set(refused)).toStrictEqual(new Set(['invalid_state_transition']));
    expect(await merchant.done(`GET /v1/payment_links/${id}`)).toMatchObject({ use_count: MOST_USES });
    const listed = await merchant.done(`GET /v1/payment_intents?payment_link=${id}&limit=100`);
    expect(listed.data.map((payment: { id: string }) => payment.id).sort()).toStrictEqual([...made].sort());
  },
  LIMIT_MS,
);
