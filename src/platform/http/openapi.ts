import type { ModulesContainer } from '@nestjs/core';
import type { ClassConstructor } from 'class-transformer';
import { NEWEST_API_VERSION } from '../../vocabulary/api-versions';
import type {
  ApiDocument,
  Components,
  MediaType,
  Method,
  Operation,
  PathItem,
  Reference,
  Response,
  Schema,
  WebhookItem,
} from '../docs/api-document';
import { RECORDED_EXAMPLES } from '../docs/recorded-examples';
import { LEAVE_NO_TRACE } from '../idempotency/key-lease';
import type { ErrorUrls } from './error-answer';
import { bodySchema } from './fields/body-schema';
import { SchemaComponents } from './openapi-components';
import { codesOf, ERROR_SCHEMA, errorExamples, errorResponses } from './openapi-errors';
import type { OperationFacts, WebhookFacts } from './openapi-operation';
import { parametersOf, SHARED_PARAMETERS } from './openapi-parameters';
import { declaredTags } from './openapi-tags';
import { VERSION_CHANGES } from '../versions/shape-in-version';
import { routesOf, webhooksOf, type RouteFacts } from './openapi-routes';

export type DocumentUrls = ErrorUrls & { readonly publicUrl: string; readonly sandboxUrl?: string | null };

const DESCRIPTION = [
  'Non-custodial crypto payments. The mode, test or live, follows from the key.',
  'Every failed request answers the error envelope; an unknown path is `unknown_route`, a method that a path does not take is',
  '`method_not_allowed`. Amounts are whole minor units in strings of digits, times are ISO-8601 in UTC.',
  `Shapes are those of ${NEWEST_API_VERSION}, the newest version. An answer has the shape of the version in the header \`Api-Version\`,`,
  'otherwise of the version that the account is pinned to.',
  'A webhook has the shape of the version that its endpoint was pinned to at its creation.',
  ...VERSION_CHANGES.map(({ version, before }) => `Before ${version}, ${before}.`),
  'New fields, filters and error codes come without a new version. Take the fields that you know, and branch on the error type when a code is new.',
].join(' ');

/** The operator of a deployment answers for it: nobody else reads its log. */
const CONTACT_NAME = 'The operator of this service';
const LICENSE = { name: 'All rights reserved', identifier: 'LicenseRef-Quittance' };

const ANY_JSON: Schema = {};
const OK = '200';

/** The contract, made from the served routes, their bodies' rules and their further facts. */
export function apiDocument(modules: ModulesContainer, urls: DocumentUrls): ApiDocument {
  const components = new SchemaComponents();
  const paths: Record<string, PathItem> = {};
  const routes = routesOf(modules);
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method satisfies Method]: operationOf(route, components),
    };
  }
  const webhooks = Object.assign({}, ...webhooksOf(modules).map(facts => webhookItems(facts, components))) as Record<
    string,
    WebhookItem
  >;
  const listed = new Set(routes.flatMap(route => (route.facts ? codesOf(route) : [])));
  const operations = [...routes, ...Object.values(webhooks).map(({ post }) => post)];
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Quittance',
      version: NEWEST_API_VERSION,
      description: DESCRIPTION,
      contact: { name: CONTACT_NAME, url: urls.docsUrl },
      license: LICENSE,
    },
    servers: serversOf(urls),
    security: [{ bearer: [] }],
    tags: declaredTags(new Set(operations.flatMap(({ tags }) => tags))),
    paths,
    webhooks,
    components: {
      schemas: { ...components.schemas, Error: ERROR_SCHEMA },
      parameters: SHARED_PARAMETERS,
      headers: HEADERS,
      examples: errorExamples(urls, listed),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'API key' } },
    },
  };
}

function serversOf({ publicUrl, sandboxUrl = null }: DocumentUrls): ApiDocument['servers'] {
  if (sandboxUrl === null) return [{ url: publicUrl }];
  return [
    { url: publicUrl, description: 'Takes test keys and live keys' },
    { url: sandboxUrl, description: 'Takes test keys only' },
  ];
}

function operationOf(route: RouteFacts, components: SchemaComponents): Operation {
  const { facts, scope, body } = route;
  const request = facts && RECORDED_EXAMPLES.operations[facts.id]?.request;
  return {
    operationId: facts?.id ?? route.name,
    summary: facts?.summary ?? '',
    description: [facts?.description, accessSentence(route)].filter(Boolean).join(' '),
    tags: route.tags,
    security: scope === undefined ? [] : [{ bearer: [] }],
    ...(scope && { 'x-required-scope': scope }),
    parameters: parametersOf(route),
    ...(body && { requestBody: requestBody(body, request, components) }),
    responses: facts ? responsesOf(route, facts, components) : undeclared(route),
  };
}

/** The way in, as a sentence: the scopes of a bearer have no place of their own in the document. */
function accessSentence({ scope, highRiskAction }: RouteFacts): string {
  if (scope === undefined) return 'Needs no key.';
  const key = scope === null ? 'any secret or restricted key' : `a key with the scope \`${scope}\``;
  return highRiskAction === undefined ? `Needs ${key}.` : `Needs ${key}, and a fresh one-time code.`;
}

/** A body whose fields may all be left out may be left out itself. */
function requestBody(
  body: ClassConstructor<object>,
  example: unknown,
  components: SchemaComponents,
): Operation['requestBody'] {
  const schema = bodySchema(body);
  return { required: 'required' in schema, content: json(components.refer(schema), example) };
}

function json(schema: Schema, example: unknown): { readonly 'application/json': MediaType } {
  return { 'application/json': media(schema, example) };
}

function media(schema: Schema, example: unknown): MediaType {
  return { schema, ...(example !== undefined && { example }) };
}

const CSV: Schema = {
  type: 'string',
  description:
    'RFC 4180 in UTF-8: a record with the names of the columns, and a record for each row. An empty cell is null, an object is its JSON. A text that a program for tables would take for a formula begins with an apostrophe.',
};

/** The fields of a row are the columns of the file. */
function file(row: Schema, examples: Readonly<Record<string, unknown>>): Response['content'] {
  return {
    'text/csv': media(CSV, examples[`${OK} csv`]),
    'application/x-ndjson': media(row, examples[`${OK} jsonl`]),
  };
}

function responsesOf(
  route: RouteFacts,
  { id, answer, isFile, otherAnswers = {} }: OperationFacts,
  components: SchemaComponents,
): Readonly<Record<string, Response>> {
  const examples = RECORDED_EXAMPLES.operations[id]?.answers ?? {};
  const answers = Object.entries({ [OK]: answer, ...otherAnswers }).map(([status, schema]) => {
    const [description, headers] = [DESCRIPTIONS[status] ?? 'Not now', headersOf(route, Number(status))];
    const referred = components.refer(schema);
    const content = isFile ? file(referred, examples) : json(referred, examples[status]);
    return [status, { description, headers, content }];
  });
  return {
    ...(Object.fromEntries(answers) as Record<string, Response>),
    ...errorResponses(codesOf(route), status => headersOf(route, status)),
  };
}

const BAD_REQUEST = 400;
/** Statuses that may have the header: a key in use, too many requests, and a network that is behind. */
const SAYS_WHEN: readonly number[] = [409, 429, 503];
const DESCRIPTIONS: Readonly<Record<string, string>> = { [OK]: 'Done', 202: 'Filed, and not decided yet: ask again' };
const INTERNAL_ERROR = 500;

const HEADERS: Components['headers'] = {
  request_id: { description: 'Names the request in logs and to support', schema: { type: 'string' } },
  ratelimit_limit: { description: 'Requests that the limit holds', schema: { type: 'integer', minimum: 0 } },
  ratelimit_remaining: { description: 'Requests that are left of it', schema: { type: 'integer', minimum: 0 } },
  ratelimit_reset: { description: 'Seconds until it is whole again', schema: { type: 'integer', minimum: 0 } },
  idempotent_replayed: {
    description: 'Only on the answer of an earlier request with the same key',
    schema: { const: 'true' },
  },
  retry_after: {
    description: 'Seconds to wait; a 409 has it for a key in use, a 503 where the time is known',
    schema: { type: 'integer', minimum: 0 },
  },
};

/**
 * Whether the answer is kept. Not kept are an answer that shows a secret, an answer that leaves no trace, and a fault.
 */
function isReplayed({ method, scope, showsSecret }: RouteFacts, status: number): boolean {
  if (method === 'get' || scope === undefined || status >= INTERNAL_ERROR) return false;
  return !LEAVE_NO_TRACE.includes(status) && !(showsSecret && status < BAD_REQUEST);
}

function headersOf(route: RouteFacts, status: number): Readonly<Record<string, Reference>> {
  return {
    'Request-Id': { $ref: '#/components/headers/request_id' },
    'RateLimit-Limit': { $ref: '#/components/headers/ratelimit_limit' },
    'RateLimit-Remaining': { $ref: '#/components/headers/ratelimit_remaining' },
    'RateLimit-Reset': { $ref: '#/components/headers/ratelimit_reset' },
    ...(isReplayed(route, status) && { 'Idempotent-Replayed': { $ref: '#/components/headers/idempotent_replayed' } }),
    ...(SAYS_WHEN.includes(status) && { 'Retry-After': { $ref: '#/components/headers/retry_after' } }),
  };
}

function undeclared(route: RouteFacts): Operation['responses'] {
  const headers = headersOf(route, Number(OK));
  return {
    [OK]: { description: 'Done', headers, content: json(ANY_JSON, undefined) },
    default: { description: 'Refused', headers, content: json({ $ref: '#/components/schemas/Error' }, undefined) },
  };
}

const RESERVED = 'No event of this type is sent yet.';
const SENT =
  'The body tells the payment as it was when this happened. Take it with a status from 200 to 299, once its signature holds.';

/** The calls that the service makes, one for each type of event. */
function webhookItems(
  { types, reserved, body, statusOf }: WebhookFacts,
  components: SchemaComponents,
): Readonly<Record<string, WebhookItem>> {
  return Object.fromEntries(
    types.map(type => {
      const schema = { allOf: [components.refer(body), ofType(type, statusOf(type))] };
      return [type, webhookItem(type, reserved.includes(type), schema)];
    }),
  );
}

/** The fields that tell a type's body from others: the type, and the state of the payment. */
function ofType(type: string, status: string | null): Schema {
  const more = { type: 'object', additionalProperties: true };
  const data = { ...more, properties: { status: { const: status } }, required: ['status'] };
  return {
    ...more,
    properties: { type: { const: type }, ...(status !== null && { data }) },
    required: ['type', ...(status === null ? [] : ['data'])],
  };
}

function webhookItem(type: string, isReserved: boolean, schema: Schema): WebhookItem {
  return {
    post: {
      operationId: type,
      description: isReserved ? RESERVED : SENT,
      summary: isReserved ? 'Reserved: can be subscribed to, is never sent' : `Sent when ${type.replace('.', ' is ')}`,
      tags: ['Webhooks'],
      parameters: [
        {
          name: 'Service-Signature',
          in: 'header',
          required: true,
          description: 'HMAC-SHA256 over `<t>.<body>` by each active secret, in hex; refuse a `t` more than 300 s off',
          schema: { type: 'string', pattern: '^t=\\d+(?:,v1=[0-9a-f]{64})+$' },
        },
      ],
      requestBody: { required: true, content: json(schema, RECORDED_EXAMPLES.webhooks[type]) },
      responses: { '2XX': { description: 'Taken; anything else, and no answer within 10 s, is tried again' } },
    },
  };
}
