import { SCOPES } from '../../src/vocabulary/scopes';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import { ManualClock, NOON } from '../support/payment-fixture';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const RATES = { write: 100, read: 200, address: 50 };
const USED_KEY = 'used for another request';

/** The order in which a request is checked, with the answer to a request that fails each check. */
const CHECKS = [
  ['path', 400, 'invalid_path'],
  ['route', 404, 'unknown_route'],
  ['method', 405, 'method_not_allowed'],
  ['authentication', 401, 'api_key_revoked'],
  ['key kind', 403, 'publishable_scope_forbidden'],
  ['scope', 403, 'insufficient_scope'],
  ['rate limit', 429, 'rate_limit'],
  ['content type', 415, 'unsupported_media_type'],
  ['body', 400, 'invalid_json'],
  ['validation', 400, 'parameter_invalid'],
  ['idempotency look-up', 409, 'idempotency_key_reuse'],
  ['MFA', 401, 'mfa_required'],
  ['state', 409, 'invalid_state_transition'],
] as const;

type Check = (typeof CHECKS)[number][0];
type Key = { readonly id: string; readonly secret: string };

const PAIRS = CHECKS.flatMap(([earlier, status, code], index) =>
  CHECKS.slice(index + 1).map(([later]) => [earlier, later, status, code] as const),
);

const clock = new ManualClock(NOON);
let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let rates: RateLimits;
let wallets: { readonly verified: string; readonly pending: string };
/** Keys by their state and scopes: revoked, every scope, the scope for something else, or a publishable key's. */
let keys: Readonly<Record<string, Key>>;

beforeAll(async () => {
  stage = await ApiStage.open();
  rates = await RateLimits.open(stage.core.documents, clock, RATES);
  instance = await stage.startInstance({ rateLimits: rates });
  merchant = await stage.register(instance);
  const { id: verified } = await merchant.registerWallet();
  await merchant.verifyWallet(verified);
  wallets = { verified, pending: (await merchant.registerWallet({ network_id: 'bnb' })).id };
  const made: Record<string, Key> = {};
  for (const state of ['standing', 'revoked']) {
    made[`${state} full`] = await merchant.mintKey({ kind: 'sk', scopes: SCOPES });
    made[`${state} scopeless`] = await merchant.mintKey({ scopes: ['payment:read'] });
    made[`${state} publishable`] = await merchant.mintKey({ kind: 'pk', scopes: ['payment:read'] });
  }
  for (const [name, { id }] of Object.entries(made))
    if (name.startsWith('revoked')) await merchant.done(`POST /v1/api_keys/${id}/revoke`, {}, true);
  keys = made;
  await merchant.createIntent({}, { key: keyOf(new Set()).secret, headers: { 'idempotency-key': USED_KEY } });
}, LIMIT_MS);

afterAll(() => stage.close());

function keyOf(failed: ReadonlySet<Check>): Key {
  const right = failed.has('key kind') ? 'publishable' : failed.has('scope') ? 'scopeless' : 'full';
  return keys[`${failed.has('authentication') ? 'revoked' : 'standing'} ${right}`] as Key;
}

function pathOf(failed: ReadonlySet<Check>): string {
  const wallet = failed.has('state') ? wallets.verified : wallets.pending;
  const path = failed.has('route') ? `/v1/purses/${wallet}/verify` : `/v1/wallets/${wallet}/verify`;
  return failed.has('path') ? path.replace('/verify', '%zz/verify') : path;
}

function bodyOf(failed: ReadonlySet<Check>, proof: object): string {
  const method = failed.has('validation') ? 'by_heart' : 'signed_message';
  const twice = failed.has('body') ? `"method":"${method}",` : '';
  return `{${twice}${JSON.stringify({ method, ...proof }).slice(1)}`;
}

/** The request that does all of these wrong and nothing else. */
async function ask(failed: ReadonlySet<Check>, proof: object = { signature: '0x00' }) {
  const key = keyOf(failed);
  clock.timeMs += 60_000;
  while (failed.has('rate limit') && rates.take('write', key.id).allowed);
  const reply = await instance.caller.send({
    method: failed.has('method') ? 'PUT' : 'POST',
    path: pathOf(failed),
    headers: {
      authorization: `Bearer ${key.secret}`,
      'content-type': failed.has('content type') ? 'text/plain' : 'application/json',
      ...(failed.has('idempotency look-up') && { 'idempotency-key': USED_KEY }),
      ...(!failed.has('MFA') && { 'mfa-code': merchant.nextCode() }),
    },
    body: bodyOf(failed, proof),
  });
  const body = JSON.parse(reply.body) as { readonly error?: { readonly code: string } };
  return { status: reply.status, code: body.error?.code ?? null, headers: reply.headers };
}

it.each(CHECKS)('answers a request that fails the check of its %s with %i %s', async (check, status, code) => {
  expect(await ask(new Set([check]))).toMatchObject({ status, code });
});

it.each(PAIRS)('checks the %s before the %s', async (earlier, later, status, code) => {
  expect(await ask(new Set([earlier, later]))).toMatchObject({ status, code });
});

it.each(CHECKS.map(([check, status, code], index) => [check, status, code, index] as const))(
  'answers one that fails every check from %s on with %i %s, and says how its caller stands',
  async (check, status, code, index) => {
    const { headers, ...answer } = await ask(new Set(CHECKS.slice(index).map(([name]) => name)));
    expect(answer).toEqual({ status, code });
    const isCounted = index >= CHECKS.findIndex(([name]) => name === 'rate limit');
    // A bucket holds two seconds: the key's from its own limit on, before it that of the client's address.
    expect(headers['ratelimit-limit']).toBe(String(2 * (isCounted ? RATES.write : RATES.address)));
    expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
    expect(headers['ratelimit-reset']).toMatch(/^\d+$/);
    expect('retry-after' in headers).toBe(check === 'rate limit');
  },
);

it('lets the request through that passes them all', async () => {
  const issue = { body: { method: 'signed_message' } };
  const { challenge } = await merchant.done(`POST /v1/wallets/${wallets.pending}/challenge`, issue);
  const signature = await merchant.owner.signMessage(String(challenge));
  expect(await ask(new Set(), { signature, challenge })).toMatchObject({ status: 200, code: null });
});
