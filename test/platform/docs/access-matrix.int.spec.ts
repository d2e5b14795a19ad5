import { CommandBus } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../src/vocabulary/error-catalogue';
import { grants, SCOPES, type Scope } from '../../../src/vocabulary/scopes';
import { DisableMerchant, EnableMerchant } from '../../../src/modules/merchants/commands/disable-merchant.command';
import { operationsOf, type LocatedOperation } from '../../../src/platform/docs/api-document';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { OpenApiValidation } from '../../support/openapi-validation';
import type { StagedMerchant } from '../../support/staged-merchant';
import { lineOf, PLAIN_OUTCOMES, type Outcome } from './access-cases';

const NEVER = '00000000000000000000000000';
const SETUP_LIMIT_MS = 60_000;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let contract: OpenApiValidation;
const keys = new Map<string, string>();

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  const reply = await instance.caller.send({ method: 'GET', path: '/openapi.json' });
  contract = new OpenApiValidation(JSON.parse(reply.body) as never);
  const mint = async (name: string, kind: string, scopes: readonly Scope[]): Promise<void> => {
    const { secret } = (await merchant.mintKey({ kind, name, scopes })) as { secret: string };
    keys.set(name, secret);
  };
  for (const scope of SCOPES) {
    await mint(`only ${scope}`, 'rk', [scope]);
    await mint(
      `all but ${scope}`,
      'rk',
      SCOPES.filter(other => !grants([other], scope)),
    );
  }
  await mint(
    'publishable',
    'pk',
    SCOPES.filter(scope => scope.endsWith(':read')),
  );
}, SETUP_LIMIT_MS);

afterAll(() => stage.close());

const protectedOperations = () => operationsOf(contract.document).filter(({ path }) => path.startsWith('/v1/'));
const scopeOf = ({ operation }: LocatedOperation) => operation['x-required-scope'] as Scope | undefined;

/** Asks for an object that never existed, with an empty body, and holds the answer against the contract. */
async function ask(located: LocatedOperation, key: string | null, caller = instance.caller): Promise<Outcome> {
  const { method, path, operation } = located;
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  if (operation.requestBody) headers['content-type'] = 'application/json';
  const [, asked = ''] = lineOf(method, path, `pi_${NEVER}`).split(' ');
  const request = { method: method.toUpperCase(), path: asked, headers };
  const reply = await caller.send(operation.requestBody ? { ...request, body: '{}' } : request);
  const read = contract.checkText({ ...request, status: reply.status }, reply.headers['content-type'], reply.body);
  const body = read as { readonly error?: { readonly code: ErrorCode } };
  if (!body.error) {
    expect(reply.status).toBe(200);
    return 'done';
  }
  expect(reply.status).toBe(ERROR_CATALOGUE[body.error.code].status);
  return body.error.code;
}

/** The answer of each protected operation to a key, by operationId. */
async function outcomes(
  keyFor: (located: LocatedOperation) => string | null,
  among = protectedOperations(),
): Promise<Readonly<Record<string, Outcome>>> {
  const answered: Record<string, Outcome> = {};
  for (const located of among) answered[located.operation.operationId] = await ask(located, keyFor(located));
  return answered;
}

function everywhere(outcomeOf: (located: LocatedOperation) => Outcome, among = protectedOperations()) {
  return Object.fromEntries(among.map(located => [located.operation.operationId, outcomeOf(located)]));
}

const needing = () => protectedOperations().filter(located => scopeOf(located) !== undefined);
const key = (name: string) => keys.get(name) as string;

it('refuses everything without a key', async () => {
  expect(await outcomes(() => null)).toEqual(everywhere(() => 'authentication_required'));
});

it('lets a key with every scope through to each operation', async () => {
  expect(await outcomes(() => merchant.registered.keys.test)).toEqual(PLAIN_OUTCOMES);
});

it('lets a restricted key through that has exactly the scope', async () => {
  const expected = everywhere(({ operation }) => PLAIN_OUTCOMES[operation.operationId] as Outcome, needing());
  expect(await outcomes(located => key(`only ${scopeOf(located)}`), needing())).toEqual(expected);
});

it('refuses a restricted key that has every scope but those', async () => {
  expect(await outcomes(located => key(`all but ${scopeOf(located)}`), needing())).toEqual(
    everywhere(() => 'insufficient_scope', needing()),
  );
});

it('lets any restricted key through where no scope is needed', async () => {
  const free = protectedOperations().filter(located => scopeOf(located) === undefined);
  expect(free.length).toBeGreaterThan(0);
  const expected = everywhere(({ operation }) => PLAIN_OUTCOMES[operation.operationId] as Outcome, free);
  expect(await outcomes(() => key('only fee:read'), free)).toEqual(expected);
});

it('refuses publishable keys, whatever their scopes', async () => {
  expect(await outcomes(() => key('publishable'))).toEqual(
    everywhere(({ method }) => (method === 'get' ? 'publishable_key_not_permitted' : 'publishable_scope_forbidden')),
  );
});

it('refuses a revoked key everywhere', async () => {
  const { id, secret } = (await merchant.mintKey({ kind: 'sk', scopes: SCOPES })) as { id: string; secret: string };
  await merchant.done(`POST /v1/api_keys/${id}/revoke`, {}, true);
  expect(await outcomes(() => secret)).toEqual(everywhere(() => 'api_key_revoked'));
});

it('refuses a key everywhere whose end is past', async () => {
  const end = new Date(stage.clock.now() + 60_000).toISOString();
  const { secret } = (await merchant.mintKey({ kind: 'sk', scopes: SCOPES, expires_at: end })) as { secret: string };
  stage.clock.aheadMs += 61_000;
  expect(await outcomes(() => secret)).toEqual(everywhere(() => 'api_key_expired'));
});

it('refuses the keys of a disabled account everywhere, and takes them again once it is enabled', async () => {
  const { id, registered } = await stage.register(instance);
  const context = () => ({ ...operatorContext({ ...stage.core, user: 'alice' }), merchantId: id });
  const commands = instance.app.get(CommandBus);
  await commands.execute(new DisableMerchant('Fraud', context()));
  expect(await outcomes(() => registered.keys.test)).toEqual(everywhere(() => 'account_disabled'));
  expect(await outcomes(() => registered.keys.live)).toEqual(everywhere(() => 'account_disabled'));
  await commands.execute(new EnableMerchant('Cleared', context()));
  expect(await outcomes(() => registered.keys.test)).toEqual(PLAIN_OUTCOMES);
});

it('serves what is public without a key, and with a wrong one', async () => {
  const open = operationsOf(contract.document).filter(({ path }) => !path.startsWith('/v1/'));
  expect(open.map(({ path }) => path)).toEqual(['/healthz', '/readyz']);
  expect(await outcomes(() => null, open)).toEqual(everywhere(() => 'done', open));
  expect(await outcomes(() => 'sk_test_wrong', open)).toEqual(everywhere(() => 'done', open));
});

it('asks for a scope of its own to change where webhooks go', async () => {
  const { id } = (await merchant.createEndpoint()) as { id: string };
  const change = (name: string, body: object) =>
    merchant.call(`POST /v1/webhook_endpoints/${id}`, {
      body,
      key: key(name),
      headers: { 'mfa-code': merchant.nextCode() },
    });
  const moved = { url: 'http://127.0.0.1:9/elsewhere' };
  expect(await change('only webhook:manage', moved)).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(await change('only webhook:manage', { description: 'Orders' })).toMatchObject({ status: 200 });
});

it(
  'refuses keys of a mode that is not served',
  async () => {
    const testOnly = await ApiStage.open({ MODES: 'test' });
    try {
      const other = await testOnly.startInstance();
      const { registered } = await testOnly.register(other);
      for (const located of protectedOperations())
        expect([located.path, await ask(located, registered.keys.live, other.caller)]).toEqual([
          located.path,
          'invalid_api_key',
        ]);
    } finally {
      await testOnly.close();
    }
  },
  SETUP_LIMIT_MS,
);
