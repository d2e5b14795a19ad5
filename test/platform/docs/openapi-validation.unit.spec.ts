import type { ApiDocument } from '../../../src/platform/docs/api-document';
import { OpenApiValidation } from '../../support/openapi-validation';

const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const error = (...codes: readonly string[]) =>
  json({ $ref: '#/components/schemas/Error', properties: { error: { properties: { code: { enum: codes } } } } });

const document = {
  paths: {
    '/v1/things/{id}': {
      get: {
        operationId: 'getThing',
        responses: { 200: json({ $ref: '#/components/schemas/thing' }), 404: error('resource_missing') },
      },
    },
  },
  components: {
    schemas: {
      thing: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'string', pattern: '^th_' }, name: { $ref: '#/components/schemas/name' } },
        additionalProperties: false,
      },
      name: { type: ['string', 'null'] },
      Error: { type: 'object', required: ['error'], properties: { error: { type: 'object' } } },
    },
  },
} as unknown as ApiDocument;

const contract = new OpenApiValidation(document);
const check = (status: number, body: unknown, line = 'GET /v1/things/th_1?limit=2') => {
  const [method, path] = line.split(' ') as [string, string];
  return () => contract.check({ method, path, status, body });
};

it('lets through what the contract describes', () => {
  expect(check(200, { id: 'th_1', name: null })).not.toThrow();
  expect(check(404, { error: { code: 'resource_missing' } })).not.toThrow();
  expect(check(404, { error: { code: 'unknown_route' } }, 'GET /v1/nothing')).not.toThrow();
});

it.each<[string, () => void, string]>([
  ['a field too much', check(200, { id: 'th_1', name: 'x', colour: 'red' }), 'additional properties'],
  ['a field too few', check(200, { id: 'th_1' }), "required property 'name'"],
  ['another form', check(200, { id: 'pi_1', name: 'x' }), 'must match pattern'],
  ['another type behind a reference', check(200, { id: 'th_1', name: 7 }), '/name must be string,null'],
  ['a status that is not listed', check(409, { error: { code: 'rate_limit' } }), 'answered 409 rate_limit'],
  ['a code that is not listed', check(404, { error: { code: 'wallet_not_found' } }), 'allowed values'],
  ['a path that is not listed', check(200, {}, 'GET /v1/nothing'), 'is not in the contract'],
  ['a method that is not listed', check(200, {}, 'POST /v1/things/th_1'), 'is not in the contract'],
])('objects to %s', (_, checking, reason) => {
  expect(checking).toThrow(reason);
});
