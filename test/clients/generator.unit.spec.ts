import { clientFiles } from '../../clients/typescript/generator/client-files';
import type { OpenApiDocument, Operation, Schema } from '../../clients/typescript/generator/open-api';
import { clientMethods } from '../../clients/typescript/generator/operations';
import { typeOf } from '../../clients/typescript/generator/schema-types';

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const answering = (schema: Schema, more: Operation = {}): Operation => ({
  responses: { '200': json(schema) },
  ...more,
});
const pageOf = (items: Schema): Schema => ({
  type: 'object',
  properties: { has_more: { type: 'boolean' }, data: { type: 'array', items } },
});
const ERROR: Schema = {
  properties: { error: { type: 'object', properties: { code: { type: 'string', enum: ['no', 'never'] } } } },
};

function documentOf(
  paths: OpenApiDocument['paths'],
  schemas: Readonly<Record<string, Schema>> = {},
  webhooks: OpenApiDocument['webhooks'] = {},
): OpenApiDocument {
  return { info: { version: '2020-02-02' }, paths, webhooks, components: { schemas: { Error: ERROR, ...schemas } } };
}

describe('the type of a schema', () => {
  it.each<[Schema, string]>([
    [{}, 'unknown'],
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ type: ['string', 'null'], enum: ['a', 'b', null] }, '"a" | "b" | null'],
    [{ type: 'string', const: 'list' }, '"list"'],
    [{ oneOf: [ref('payment_intent'), { type: 'null' }] }, 'PaymentIntent | null'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string | number'],
    [{ allOf: [ref('base'), ref('more')] }, '(Base) & (More)'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Readonly<Record<string, string>>'],
    [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'string', description: 'First' }, 'b-c': {} } },
      '{\n/** First */\nreadonly a: string;\nreadonly "b-c"?: unknown;\n}',
    ],
    [
      { properties: { a: { oneOf: [{ type: 'string', description: 'Perhaps' }, { type: 'null' }] } } },
      '{\n/** Perhaps */\nreadonly a?: string | null;\n}',
    ],
    [ref('CreateOrderDto'), 'CreateOrderRequest'],
  ])('%j', (schema, expected) => expect(typeOf(schema, new Set())).toBe(expected));

  it('names the components that it needs', () => {
    const uses = new Set<string>();
    typeOf(
      { type: 'array', items: { properties: { a: ref('one'), b: { oneOf: [ref('two'), { type: 'null' }] } } } },
      uses,
    );
    expect([...uses]).toStrictEqual(['one', 'two']);
  });
});

describe('the name of a method', () => {
  const thing = answering({ type: 'object' });
  const list = answering(pageOf({}));

  it.each<[string, OpenApiDocument['paths'][string], readonly string[]]>([
    ['/v1/payment_intents', { get: list, post: thing }, ['paymentIntents.list', 'paymentIntents.create']],
    [
      '/v1/wallets/{id}',
      { get: thing, post: thing, delete: thing },
      ['wallets.retrieve', 'wallets.update', 'wallets.delete'],
    ],
    ['/v1/payment_intents/{id}/select_method', { post: thing }, ['paymentIntents.selectMethod']],
    ['/v1/webhook_endpoints/{id}/deliveries', { get: list }, ['webhookEndpoints.deliveries']],
    ['/v1/routes', { put: list }, ['routes.set']],
    ['/v1/settings', { get: thing, post: thing }, ['settings.retrieve', 'settings.update']],
    ['/v1/mfa/proofs', { post: thing }, ['mfaProofs.create']],
    ['/v1/wallets', { get: {}, post: {} }, ['wallets.retrieve', 'wallets.update']],
    ['/healthz', { get: thing }, []],
  ])('%s', (path, item, expected) => {
    const methods = clientMethods(documentOf({ [path]: item }));
    expect(methods.map(({ resource, name }) => `${resource}.${name}`)).toStrictEqual(expected);
  });

  it('follows from what is served beside it', () => {
    const paths = {
      '/v1/fees': { get: list },
      '/v1/fees/balance': { get: thing },
      '/v1/payment_intents': { get: list },
      '/v1/payment_links/{id}/payment_intents': { post: thing },
      '/v1/wallets': { get: {} },
      '/v1/wallets/{id}': { get: {} },
    };
    expect(clientMethods(documentOf(paths)).map(({ resource, name }) => `${resource}.${name}`)).toStrictEqual([
      'fees.list',
      'fees.balance',
      'paymentIntents.list',
      'paymentLinks.createPaymentIntent',
      'wallets.list',
      'wallets.retrieve',
    ]);
  });

  it('is never given twice', () => {
    const paths = { '/v1/a/{id}/b': { get: thing, post: thing } };
    expect(() => clientMethods(documentOf(paths))).toThrow('post /v1/a/{id}/b: a.b exists already');
  });
});

describe('the generated files', () => {
  const shared: Schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const own: Schema = { type: 'object', properties: { money: ref('money'), shared: ref('shared') } };
  const query = { name: 'status', in: 'query', description: 'Only these', schema: { type: 'string' } };
  const files = clientFiles(
    documentOf(
      {
        '/v1/orders': {
          get: answering(pageOf(ref('order')), { summary: 'List them', parameters: [query] }),
          post: answering(ref('order'), { requestBody: { required: true, ...json(ref('order_request')) } }),
        },
        '/v1/shops/{shop_id}/close': { post: answering(ref('shared')) },
      },
      {
        order: own,
        money: { type: 'string' },
        shared,
        order_request: { type: 'object', required: ['a'], properties: {} },
        delivery: { type: 'object', properties: { data: ref('shared') } },
      },
      {
        'order.placed': {
          post: {
            summary: 'Sent when an order is placed',
            requestBody: json({
              allOf: [ref('delivery'), { required: ['type'], properties: { type: { const: 'order.placed' } } }],
            }),
          },
        },
        'order.left_behind': { post: { requestBody: json(ref('delivery')) } },
      },
    ),
  );

  it('are one for each resource, and what they share', () => {
    expect([...files.keys()]).toStrictEqual([
      'orders.ts',
      'shops.ts',
      'webhooks.ts',
      'shared.ts',
      'resources.ts',
      'error-code.ts',
      'api-version.ts',
    ]);
    expect(files.get('error-code.ts')).toContain('export type ErrorCode = "no" | "never";');
    expect(files.get('api-version.ts')).toContain('export const API_VERSION = "2020-02-02";');
    expect(files.get('resources.ts')).toContain('this.orders = new OrdersResource(requester);');
    expect(files.get('resources.ts')).toContain("export * from './webhooks';");
  });

  it('hold a schema where it is used, once', () => {
    expect(files.get('orders.ts')).toContain("import type { Shared } from './shared';");
    expect(files.get('orders.ts')).toContain('export type Money = string;');
    expect(files.get('shared.ts')).toContain('export interface Shared {\nreadonly id: string;\n}');
    expect(files.get('webhooks.ts')).toContain('export interface Delivery {\nreadonly data?: Shared;\n}');
    expect(files.get('shops.ts')).not.toContain('interface Shared');
  });

  it('hold a type for each event, and their union', () => {
    const webhooks = files.get('webhooks.ts');
    expect(webhooks).toContain(
      '/** Sent when an order is placed */\nexport type OrderPlacedEvent = (Delivery) & ({\nreadonly type: "order.placed";\n});',
    );
    expect(webhooks).toContain('export type OrderLeftBehindEvent = Delivery;');
    expect(webhooks).toContain('export type DeliveredEvent = OrderPlacedEvent | OrderLeftBehindEvent;');
    expect(webhooks).toContain("import type { Shared } from './shared';");
  });

  it('are the same whatever the order of the paths', () => {
    const [one, two] = [{ '/v1/a': { get: answering({}) } }, { '/v1/b': { get: answering({}) } }];
    const [there, back] = [clientFiles(documentOf({ ...one, ...two })), clientFiles(documentOf({ ...two, ...one }))];
    expect([...there]).toStrictEqual([...back]);
  });

  it('hold a method for each operation', () => {
    const orders = files.get('orders.ts');
    expect(orders).toContain(
      "/** List them */\nlist(query?: OrdersListQuery, options?: RequestOptions): List<Order> {\nreturn this.#requester.list({ path: '/v1/orders', query }, options);\n}",
    );
    expect(orders).toContain('export interface OrdersListQuery {\n/** Only these */\nreadonly status?: string;\n}');
    expect(orders).toContain('create(body: OrderRequest, options?: RequestOptions): Promise<Order> {');
    expect(files.get('shops.ts')).toContain(
      "close(shopId: string, options?: RequestOptions): Promise<Shared> {\nreturn this.#requester.send({ method: 'POST', path: urlPath`/v1/shops/${shopId}/close` }, options);\n}",
    );
  });

  it('tell every answer that is a success', () => {
    const responses = { '200': json(ref('shared')), '202': json({ type: 'string' }), '404': json({ type: 'null' }) };
    const made = clientFiles(documentOf({ '/v1/claims': { post: { responses } } }, { shared }));
    expect(made.get('claims.ts')).toContain('create(options?: RequestOptions): Promise<Shared | string> {');
  });

  it('are not made of a document that refers to what it does not have', () => {
    const paths = { '/v1/orders': { get: answering(ref('order')) } };
    expect(() => clientFiles(documentOf(paths))).toThrow('the document has no #/components/schemas/order');
  });
});
