import type { ClassConstructor } from 'class-transformer';
import type { Components, MediaType, Operation, Reference, Response, Schema } from '../docs/api-document';
import { RECORDED_EXAMPLES } from '../docs/recorded-examples';
import { LEAVE_NO_TRACE } from '../idempotency/key-lease';
import { bodySchema } from './fields/body-schema';
import type { SchemaComponents } from './openapi-components';
import { codesOf, errorResponses } from './openapi-errors';
import type { OperationFacts } from './openapi-operation';
import { parametersOf } from './openapi-parameters';
import type { RouteFacts } from './openapi-routes';

const OK = '200';

/** The operation of a route, as its decorators and its body's class tell it. */
export function operationOf(route: RouteFacts, components: SchemaComponents): Operation {
  const { facts, scope, body, admin } = route;
  const request = facts && RECORDED_EXAMPLES.operations[facts.id]?.request;
  return {
    operationId: facts?.id ?? route.name,
    summary: facts?.summary ?? '',
    description: [facts?.description, accessSentence(route)].filter(Boolean).join(' '),
    tags: route.tags,
    security: securityOf(route),
    ...(scope && { 'x-required-scope': scope }),
    ...(admin?.permission && { 'x-required-permission': admin.permission }),
    parameters: parametersOf(route),
    ...(body && { requestBody: requestBody(body, request, components) }),
    responses: facts ? responsesOf(route, facts, components) : undeclared(route),
  };
}

function securityOf({ scope, admin }: RouteFacts): Operation['security'] {
  if (admin) return admin.stages.length > 0 ? [{ admin_session: [] }] : [];
  return scope === undefined ? [] : [{ bearer: [] }];
}

/** The way in, as a sentence: the scopes of a bearer have no place of their own in the document. */
function accessSentence({ scope, highRiskAction, admin }: RouteFacts): string {
  if (admin) return adminAccessSentence(admin);
  if (scope === undefined) return 'Needs no key.';
  const key = scope === null ? 'any secret or restricted key' : `a key with the scope \`${scope}\``;
  return highRiskAction === undefined ? `Needs ${key}.` : `Needs ${key}, and a fresh one-time code.`;
}

function adminAccessSentence({ stages, permission, highRisk }: NonNullable<RouteFacts['admin']>): string {
  if (stages.length === 0) return 'Needs no session.';
  const role = permission === null ? 'any role' : `a role with the permission \`${permission}\``;
  return `Needs the session of ${role}${highRisk === null ? '' : ', and a fresh one-time code'}.`;
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

export function json(schema: Schema, example: unknown): { readonly 'application/json': MediaType } {
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
  { id, answer, isFile, sentAs, otherAnswers = {} }: OperationFacts,
  components: SchemaComponents,
): Readonly<Record<string, Response>> {
  const examples = RECORDED_EXAMPLES.operations[id]?.answers ?? {};
  const contentOf = (status: string, schema: Schema): Response['content'] => {
    if (sentAs) return Object.fromEntries(sentAs.map(type => [type, { schema }]));
    const referred = components.refer(schema);
    return isFile ? file(referred, examples) : json(referred, examples[status]);
  };
  const all: Readonly<Record<string, Schema | null>> = {
    [answer === null ? route.status : OK]: answer,
    ...otherAnswers,
  };
  const answers = Object.entries(all).map(([status, schema]) => {
    const headers = headersOf(route, Number(status));
    if (schema === null) return [status, { description: 'Done', headers, content: {} }];
    return [status, { description: DESCRIPTIONS[status] ?? 'Not now', headers, content: contentOf(status, schema) }];
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

export const HEADERS: Components['headers'] = {
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

/** A test's own route, which nobody has documented. */
function undeclared(route: RouteFacts): Operation['responses'] {
  const headers = headersOf(route, route.status);
  const refused = json({ $ref: '#/components/schemas/Error' }, undefined);
  return {
    [route.status]: { description: 'Done', headers, content: json({}, undefined) },
    default: { description: 'Refused', headers, content: refused },
  };
}
