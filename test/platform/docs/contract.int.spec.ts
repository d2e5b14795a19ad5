import { ModulesContainer } from '@nestjs/core';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../src/vocabulary/error-catalogue';
import { coveredPermissions } from '../../../src/modules/api-keys/covered-permissions';
import { statusToldBy } from '../../../src/modules/webhooks/webhook-types';
import { API_VERSIONS } from '../../../src/vocabulary/api-versions';
import { SCOPES } from '../../../src/vocabulary/scopes';
import {
  operationsOf,
  resolve,
  type ApiDocument,
  type MediaType,
  type Schema,
} from '../../../src/platform/docs/api-document';
import { routesOf } from '../../../src/platform/http/openapi-routes';
import { RECORDED_EXAMPLES } from '../../../src/platform/docs/recorded-examples';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { OpenApiValidation } from '../../support/openapi-validation';

let stage: ApiStage;
let instance: ApiInstance;
let document: ApiDocument;
let validation: OpenApiValidation;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  const reply = await instance.caller.send({ method: 'GET', path: '/openapi.json' });
  document = JSON.parse(reply.body) as ApiDocument;
  validation = new OpenApiValidation(document);
});

afterAll(() => stage.close());

const located = () => operationsOf(document);
const error = () => resolve(document.components, { $ref: '#/components/schemas/Error' } as Schema);

/** Every `$ref` below a value. */
function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [String(member)] : references(member)));
}

/** Each body that an operation takes or answers, except its refusals. */
function bodies() {
  return located()
    .flatMap(({ operation }) => [
      ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.entries(content).map(
          ([type, media]) => [`${operation.operationId} ${status} ${type}`, media as MediaType] as const,
        ),
      ),
      ...(operation.requestBody
        ? [[`${operation.operationId} request`, operation.requestBody.content['application/json']] as const]
        : []),
    ])
    .filter(([, { examples }]) => examples === undefined);
}

it('is of OpenAPI 3.1 and of the newest version of the API', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '2026-11-15' }, security: [{ bearer: [] }] });
  // The shapes are the newest version's; a reader of another version learns the differences.
  for (const version of API_VERSIONS.slice(1)) expect(document.info.description).toContain(`Before ${version}, `);
});

it('refers to nothing that it does not hold, and holds nothing that nothing refers to', () => {
  const used = new Set(references(document));
  const held = Object.entries(document.components).flatMap(([kind, entries]) =>
    kind === 'securitySchemes' ? [] : Object.keys(entries).map(name => `#/components/${kind}/${name}`),
  );
  expect([...used].filter(name => !held.includes(name))).toEqual([]);
  expect(held.filter(name => !used.has(name))).toEqual([]);
});

it('marks each operation that a key can be without, though it has the scope', () => {
  const routes = routesOf(instance.app.get(ModulesContainer));
  const bounded = routes.flatMap(({ scope, permission }) => (scope && permission ? [{ scope, permission }] : []));
  expect(bounded.filter(({ scope, permission }) => !coveredPermissions([scope]).includes(permission))).toEqual([]);
  const marked = new Set(bounded.map(({ permission }) => permission));
  expect([...marked].sort()).toEqual([...coveredPermissions(SCOPES)].sort());
  const ofBroadScope = routes.filter(({ scope }) => scope === 'payment:create');
  const plain = ofBroadScope.filter(({ permission }) => permission === undefined);
  expect(plain.map(({ facts }) => facts?.id).sort()).toEqual([
    'createPaymentIntent',
    'openPaymentLink',
    'selectPaymentMethod',
  ]);
});

it('holds no page', () => {
  expect(located().filter(({ path }) => !/^\/(?:v1\/|healthz$|readyz$)/.test(path))).toEqual([]);
});

it('tells everything of every operation', () => {
  const ids = located().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of located()) {
    expect(operation.operationId).toMatch(/^[a-z]+[A-Za-z]+$/);
    expect(operation.summary).not.toBe('');
    expect(operation.tags).toHaveLength(1);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '500']));
    expect(Object.keys(operation.responses)).not.toContain('default');
    const [requirement] = operation.security;
    expect(requirement === undefined).toBe(!path.startsWith('/v1/'));
    const scope = operation['x-required-scope'];
    if (scope !== undefined) expect(SCOPES).toContain(scope);
  }
});

it('lists each code under its own status, with an envelope of it as the example', () => {
  for (const { operation } of located()) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const { schema, examples } = content['application/json'] ?? { schema: {} };
      if (!examples) continue;
      const codes = Object.keys(examples) as ErrorCode[];
      expect(codes.map(code => ERROR_CATALOGUE[code].status)).toEqual(codes.map(() => Number(status)));
      expect(schema).toMatchObject({
        allOf: [{}, { properties: { error: { properties: { code: { enum: codes } } } } }],
      });
      for (const code of codes) {
        const { value } = document.components.examples[code] as { value: { error: object } };
        const { type, title } = ERROR_CATALOGUE[code];
        expect(value.error).toMatchObject({ type, code, message: RECORDED_EXAMPLES.errors[code]?.message ?? title });
        expect(validation.validator(`${operation.operationId} ${status}`, schema)(value)).toBe(true);
      }
    }
  }
});

it('knows every code of the catalogue', () => {
  expect(error()).toMatchObject({
    properties: { error: { properties: { code: { enum: Object.keys(ERROR_CATALOGUE) } } } },
  });
});

it('shows what was recorded of each body, which its schema allows', () => {
  expect(bodies().length).toBeGreaterThan(60);
  for (const [name, { schema, example }] of bodies()) {
    const validate = validation.validator(name, schema);
    expect([name, example !== undefined, validate(example), validate.errors]).toEqual([name, true, true, null]);
  }
});

it('has recorded nothing that it does not show', () => {
  const ids = located().map(({ operation }) => operation.operationId);
  expect(Object.keys(RECORDED_EXAMPLES.operations).filter(id => !ids.includes(id))).toEqual([]);
  const shown = bodies().filter(([, { example }]) => example !== undefined).length;
  const recorded = Object.values(RECORDED_EXAMPLES.operations).map(({ request, answers }) => {
    return Object.keys(answers).length + (request === undefined ? 0 : 1);
  });
  expect(recorded.reduce((sum, count) => sum + count, 0)).toBe(shown);
  expect(Object.keys(RECORDED_EXAMPLES.errors).filter(code => !(code in ERROR_CATALOGUE))).toEqual([]);
  expect(Object.keys(RECORDED_EXAMPLES.errors).length).toBeGreaterThan(30);
});

it('leaves no field of an object of ours undescribed', () => {
  const open = Object.entries(document.components.schemas).filter(
    ([, schema]) => schema.type === 'object' && schema.additionalProperties !== false,
  );
  expect(open.map(([name]) => name)).toEqual([]);
});

it('asks for a one-time code where one is asked for', () => {
  const asking = located().filter(({ operation }) => operation.responses['401']?.description.includes('mfa_required'));
  const taking = located().filter(({ operation }) =>
    references(operation.parameters).some(ref => ref.endsWith('/mfa_code')),
  );
  const ids = (found: typeof asking) => found.map(({ operation }) => operation.operationId);
  expect(ids(taking)).toEqual(ids(asking).filter(id => id !== 'createMfaProof'));
  expect(ids(taking)).toEqual(
    expect.arrayContaining([
      'createWallet', 'verifyWallet', 'setRoutes', 'createApiKey', 'rotateApiKey', 'revokeApiKey',
      'createWebhookEndpoint', 'updateWebhookEndpoint', 'rollWebhookEndpointSecret',
    ]), // prettier-ignore
  );
});

it('takes an Idempotency-Key on all that writes, and a version on all that needs a key', () => {
  for (const { method, path, operation } of located()) {
    const names = operation.parameters.map(parameter => resolve(document.components, parameter).name);
    expect([path, names.includes('Idempotency-Key')]).toEqual([path, method !== 'get']);
    expect([path, names.includes('Api-Version')]).toEqual([path, path.startsWith('/v1/')]);
  }
});

it('tells of a replay where an answer is kept, and only there', () => {
  const kept = ['200', '202', '402', '403', '404', '409'];
  const secrets = ['createApiKey', 'rotateApiKey', 'createWebhookEndpoint', 'rollWebhookEndpointSecret'];
  for (const { method, operation } of located()) {
    const isKept = (status: string): boolean =>
      method !== 'get' && kept.includes(status) && !(status === '200' && secrets.includes(operation.operationId));
    for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
      const told = [operation.operationId, status, 'Idempotent-Replayed' in headers];
      expect(told).toEqual([operation.operationId, status, isKept(status)]);
      expect('Retry-After' in headers).toBe(['409', '429', '503'].includes(status));
    }
  }
});

it('tells a claim that is filed from an answer that is not there', () => {
  const naming = located().find(({ operation }) => operation.operationId === 'namePaymentTransaction');
  expect(naming?.operation.responses['202']?.description).toBe('Filed, and not decided yet: ask again');
});

it('describes what is sent to webhooks', () => {
  expect(Object.keys(document.webhooks)).toContain('payment.confirmed');
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { schema, example: recorded } = post.requestBody?.content['application/json'] ?? { schema: {} };
    const validate = validation.validator(type, schema);
    const [kind] = type.split('.');
    // A reserved type is never sent, so nothing of it is recorded. Its schema takes any payment under its type.
    expect([type, recorded === undefined]).toEqual([type, kind === 'refund']);
    const sent = (recorded ?? RECORDED_EXAMPLES.webhooks['payment.created']) as { readonly data: object };
    const example = { ...sent, type };
    expect([type, validate(recorded ?? example), validate.errors]).toEqual([type, true, null]);
    expect([type, validate({ ...example, type: 'payment.lost' })]).toEqual([type, false]);
    const other = { ...example, data: { ...example.data, status: 'awaiting_payment' } };
    expect([type, validate(other)]).toEqual([type, kind === 'refund']);
    if (kind === 'payment') expect(recorded).toMatchObject({ type, data: { status: statusToldBy(type) } });
  }
});

it('keeps the names that generated clients have', () => {
  expect(located().map(({ method, path, operation }) => `${operation.operationId} ${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'createPaymentIntent post /v1/payment_intents',
      'listPaymentIntents get /v1/payment_intents',
      'getPaymentIntent get /v1/payment_intents/{id}',
      'listPaymentIntentEvents get /v1/payment_intents/{id}/events',
      'selectPaymentMethod post /v1/payment_intents/{id}/select_method',
      'cancelPaymentIntent post /v1/payment_intents/{id}/cancel',
      'acceptPaymentIntent post /v1/payment_intents/{id}/accept',
      'resolvePaymentIntent post /v1/payment_intents/{id}/resolve',
      'createWallet post /v1/wallets',
      'createWalletChallenge post /v1/wallets/{id}/challenge',
      'verifyWallet post /v1/wallets/{id}/verify',
      'setRoutes put /v1/routes',
      'createApiKey post /v1/api_keys',
      'createWebhookEndpoint post /v1/webhook_endpoints',
      'redeliverWebhookEvent post /v1/webhook_events/{id}/redeliver',
      'listExchangeRates get /v1/exchange_rates',
      'getHealth get /healthz',
    ]),
  );
});
