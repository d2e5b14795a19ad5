import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import { operationsOf, type LocatedOperation } from '../../../src/platform/docs/api-document';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { bookFees } from '../../support/booked-fees';
import { OpenApiValidation } from '../../support/openapi-validation';
import type { StagedMerchant } from '../../support/staged-merchant';
import { unmatchedTransfer } from '../../support/unmatched-transfer';
import { INVISIBLE_OUTCOMES, lineOf, validBodies } from './access-cases';

const LIMIT_MS = 60_000;

let stage: ApiStage;
let instance: ApiInstance;
let owner: StagedMerchant;
let stranger: StagedMerchant;
let contract: OpenApiValidation;
/** One object of the owner below each path that objects have. */
const objects = new Map<string, string>();

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  owner = await stage.register(instance);
  stranger = await stage.register(instance);
  const reply = await instance.caller.send({ method: 'GET', path: '/openapi.json' });
  contract = new OpenApiValidation(JSON.parse(reply.body) as never);
  const id = async (made: Promise<unknown>): Promise<string> => ((await made) as { readonly id: string }).id;
  objects.set('/v1/webhook_endpoints/{id}', await id(owner.createEndpoint()));
  const wallet = await id(owner.registerWallet());
  await owner.verifyWallet(wallet);
  objects.set('/v1/wallets/{id}', wallet);
  objects.set('/v1/unmatched_transfers/{id}', await unmatchedTransfer(instance, owner.owner.address));
  objects.set('/v1/api_keys/{id}', await id(owner.mintKey()));
  const payment = await id(owner.createIntent());
  objects.set('/v1/payment_intents/{id}', payment);
  objects.set('/v1/fee_invoices/{id}', (await bookFees(stage.core, 'test', owner.id)).feeInvoice);
  const link = { kind: 'fixed', currency: 'EUR', amount: '2500' };
  objects.set('/v1/payment_links/{id}', await id(owner.done('POST /v1/payment_links', { body: link })));
  const invoice = owner.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '990' } });
  objects.set('/v1/invoices/{id}', await id(invoice));
  objects.set('/v1/webhook_events/{id}', await newestEvent());
}, LIMIT_MS);

afterAll(() => stage.close());

/** The event that the last payment's creation gives rise to, as the service's own process makes it. */
async function newestEvent(): Promise<string> {
  await stage.scheduleWebhooks(instance);
  await stage.project();
  const { data } = (await owner.done('GET /v1/webhook_events')) as { data: readonly { id: string }[] };
  return (data[0] as { id: string }).id;
}

const objectOperations = () => operationsOf(contract.document).filter(({ path }) => path.includes('{'));
const objectPath = (path: string) => path.slice(0, path.indexOf('}') + 1);

/** A caller: an account, one of its keys, and a webhook endpoint that this key sees. */
type Asker = { readonly as: StagedMerchant; readonly key: string; readonly endpoint: string };

/** The very bytes of the answer, the request's own id taken out, and the code. */
async function answer(located: LocatedOperation, id: string, { as, key, endpoint }: Asker) {
  const { method, path, operation } = located;
  const [verb, asked] = lineOf(method, path, id).split(' ') as [string, string];
  const body = validBodies(endpoint)[operation.operationId];
  const takesCode = operation.parameters.some(each => '$ref' in each && each.$ref.endsWith('/mfa_code'));
  const reply = await instance.caller.send({
    method: verb,
    path: asked,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(takesCode && { 'mfa-code': as.nextCode() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const parsed = JSON.parse(reply.body) as { readonly error?: { readonly code: string } };
  contract.check({ method: verb, path: asked, status: reply.status, body: parsed });
  const bytes = reply.body.replaceAll(String(reply.headers['request-id']), 'req_');
  return { status: reply.status, code: parsed.error?.code, bytes };
}

async function asker(as: StagedMerchant, mode: 'test' | 'live'): Promise<Asker> {
  const key = as.registered.keys[mode];
  const { id } = (await as.createEndpoint({ url: 'https://shop.example/hooks' }, { key })) as { readonly id: string };
  return { as, key, endpoint: id };
}

function neverExisted(id: string): string {
  return `${id.slice(0, id.indexOf('_'))}_${'0'.repeat(26)}`;
}

it('has an object to hide below every path that takes an id', () => {
  const paths = new Set(objectOperations().map(({ path }) => objectPath(path)));
  expect([...paths].sort()).toEqual([...objects.keys()].sort());
  expect(Object.keys(INVISIBLE_OUTCOMES).sort()).toEqual([...objects.keys()].sort());
});

it('shows each object to its owner', async () => {
  for (const [path, id] of objects) {
    const located = objectOperations().find(each => each.path === path && each.method === 'get') as LocatedOperation;
    expect(await answer(located, id, await asker(owner, 'test'))).toMatchObject({ status: 200 });
  }
});

it.each([
  ['another merchant', () => asker(stranger, 'test')],
  ['the other mode', () => asker(owner, 'live')],
])(
  'answers for an object to %s exactly as if it had never existed',
  async (_, who) => {
    const someone = await who();
    for (const located of objectOperations()) {
      const code = INVISIBLE_OUTCOMES[objectPath(located.path)] as keyof typeof ERROR_CATALOGUE;
      const id = objects.get(objectPath(located.path)) as string;
      const hidden = await answer(located, id, someone);
      const absent = await answer(located, neverExisted(id), someone);
      const { operationId } = located.operation;
      expect({ operationId, ...absent }).toMatchObject({ operationId, code, status: ERROR_CATALOGUE[code].status });
      expect({ operationId, ...hidden }).toEqual({ operationId, ...absent });
    }
  },
  LIMIT_MS,
);

it('gives no cursor of somebody else', async () => {
  const lists: Readonly<Record<string, string>> = {
    '/v1/payment_intents': objects.get('/v1/payment_intents/{id}') as string,
    '/v1/payment_links': objects.get('/v1/payment_links/{id}') as string,
    '/v1/wallets': objects.get('/v1/wallets/{id}') as string,
    '/v1/api_keys': objects.get('/v1/api_keys/{id}') as string,
    '/v1/webhook_endpoints': objects.get('/v1/webhook_endpoints/{id}') as string,
    '/v1/webhook_events': objects.get('/v1/webhook_events/{id}') as string,
    '/v1/fee_invoices': objects.get('/v1/fee_invoices/{id}') as string,
    '/v1/unmatched_transfers': objects.get('/v1/unmatched_transfers/{id}') as string,
  };
  for (const [path, id] of Object.entries(lists)) {
    expect(await stranger.call(`GET ${path}?starting_after=${id}`)).toMatchObject({ code: 'invalid_cursor' });
    expect(await stranger.call(`GET ${path}?starting_after=${neverExisted(id)}`)).toMatchObject({
      code: 'invalid_cursor',
    });
    expect(await owner.call(`GET ${path}?starting_after=${id}`)).toMatchObject({ status: 200 });
  }
});

it("knows no wallet of the other mode, not even the caller's own", async () => {
  const live = owner.registered.keys.live;
  const wallet = (await owner.registerWallet({}, { key: live })) as { readonly id: string };
  const payment = objects.get('/v1/payment_intents/{id}') as string;
  const body = { token_id: 'usdc-base', wallet_id: wallet.id };
  expect(await owner.call(`POST /v1/payment_intents/${payment}/select_method`, { body })).toMatchObject({
    status: 404,
    code: 'wallet_not_found',
  });
});
