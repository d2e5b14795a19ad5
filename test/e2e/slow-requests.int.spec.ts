import { ApiStage } from '../support/api-stage';
import { developmentWallet } from '../support/customer';
import { HeldAppends } from '../support/held-appends';
import type { Answer, StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
/** Often enough for a lease to be renewed; long past the end of a lease that is not. */
const STEP_MS = 10_000;
const STEPS = 12;

let stage: ApiStage;
let slowly: HeldAppends;
let slow: StagedMerchant;
let other: StagedMerchant;
let wallet: string;
let secondWallet: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  slowly = new HeldAppends();
  const instance = await stage.startInstance();
  other = await stage.register(instance);
  slow = other.at((await stage.startInstance({ held: slowly })).caller);
  wallet = await verifiedWallet(other.owner);
  secondWallet = await verifiedWallet(developmentWallet(9));
  await other.routeTo(wallet);
}, LIMIT_MS);

afterAll(() => stage.close());

async function verifiedWallet(owner: StagedMerchant['owner']): Promise<string> {
  const { id } = await other.registerWallet({ address: owner.address });
  await other.verifyWallet(id, owner);
  return id as string;
}

type Asking = { readonly line: string; readonly body?: object; readonly headers: Readonly<Record<string, string>> };

/**
 * The answers to a request that waits two minutes for its append, and to its repetition at another process meanwhile.
 * That process works on, so each renewal is written before time goes on.
 */
async function askTwice(
  { line, ...ask }: Asking,
  category: string,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ readonly first: Answer; readonly second: Answer }> {
  const { reached, letGo } = slowly.hold(category);
  const answer = slow.call(line, ask);
  await reached;
  await meanwhile();
  for (let step = 0; step < STEPS; step++) {
    stage.clock.pass(STEP_MS);
    await other.createIntent();
  }
  const second = await other.call(line, ask);
  letGo();
  return { first: await answer, second };
}

const told = ({ code, body }: Answer): unknown => code ?? body.status;

describe.each<[string, string, () => Promise<{ readonly line: string; readonly body?: object }>]>([
  [
    'a key',
    'api_key',
    () => Promise.resolve({ line: 'POST /v1/api_keys', body: { kind: 'rk', scopes: ['payment:read'] } }),
  ],
  [
    'a signing secret',
    'webhook_endpoint',
    async () => ({ line: `POST /v1/webhook_endpoints/${(await other.createEndpoint()).id}/roll_secret` }),
  ],
])('a slow request that makes %s', (_, category, asking) => {
  it('shows it, because no other process may run the command while the request works', async () => {
    const asked = await asking();
    const headers = { 'idempotency-key': `slow ${category}`, 'mfa-code': other.nextCode() };
    const { first, second } = await askTwice({ ...asked, headers }, category);
    expect([first.code ?? typeof first.body.secret, second.code]).toEqual(['string', 'idempotency_key_in_use']);
  });
});

it('a slow selection is never answered with a refusal that came after its checks', async () => {
  const { id } = await other.createIntent();
  const [line, body] = [`POST /v1/payment_intents/${id}/select_method`, { token_id: 'usdc-base', wallet_id: wallet }];
  const headers = { 'idempotency-key': 'slow selection' };
  const { first, second } = await askTwice({ line, body, headers }, 'amount_slot', () => other.routeTo(secondWallet));
  const replayed = await other.call(line, { body, headers });
  expect([first, second, replayed].map(told)).toEqual([
    'awaiting_payment',
    'idempotency_key_in_use',
    'awaiting_payment',
  ]);
  expect(await other.done(`GET /v1/payment_intents/${id}`)).toMatchObject({ status: 'awaiting_payment' });
});
