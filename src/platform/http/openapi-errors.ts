import { getMetadataStorage } from 'class-validator';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { refuse, type ErrorCode, type Refusal } from '../../vocabulary/errors';
import type { Components, Reference, Response, Schema } from '../docs/api-document';
import { RECORDED_EXAMPLES } from '../docs/recorded-examples';
import { errorBody, type ErrorUrls } from './error-answer';
import type { RuleCode } from './fields/field';
import type { RouteFacts } from './openapi-routes';

const EXAMPLE_REQUEST_ID = 'req_01kb3x5q0g7h2m9c4r8v6t1zny';

/** Codes that every request can meet: before its route is known, on its way to it, and where an engine is away. */
const ANY_REQUEST: readonly ErrorCode[] = [
  'invalid_path', 'invalid_request', 'parameter_invalid', 'request_aborted', 'request_too_large', 'internal_error',
]; // prettier-ignore
const PATH_PARAMETER: readonly ErrorCode[] = ['missing_path_parameter'];
const KEY: readonly ErrorCode[] = [
  'authentication_required', 'invalid_authorization_header', 'invalid_api_key', 'api_key_revoked', 'api_key_expired',
  'account_disabled', 'provider_unavailable', 'invalid_filter',
]; // prettier-ignore
const METERED: readonly ErrorCode[] = ['rate_limit', 'rate_limit_subject_required'];
const SCOPE: readonly ErrorCode[] = ['insufficient_scope'];
/** For a key whose maker's role lacks the permission. */
const PERMISSION: readonly ErrorCode[] = ['permission_denied'];
const READ: readonly ErrorCode[] = ['publishable_key_not_permitted'];
const WRITE: readonly ErrorCode[] = [
  'publishable_scope_forbidden', 'merchant_closed', 'unsupported_media_type', 'invalid_json', 'invalid_body',
  'invalid_idempotency_key', 'idempotency_key_too_long', 'idempotency_key_in_use', 'idempotency_key_reuse',
  'idempotency_record_corrupt', 'idempotency_record_orphaned', 'idempotency_response_unreadable',
]; // prettier-ignore
const SECRET: readonly ErrorCode[] = ['idempotency_response_unavailable', 'rng_failure'];
const BODY: readonly ErrorCode[] = ['parameter_missing'];
const PAGE: readonly ErrorCode[] = ['invalid_limit', 'invalid_cursor'];
const MFA: readonly ErrorCode[] = [
  'mfa_required', 'mfa_proof_invalid', 'mfa_proof_stale', 'mfa_reverification_required', 'invalid_totp_secret',
]; // prettier-ignore

/** For the session of an administrator, and for the token of a write. */
const ADMIN: readonly ErrorCode[] = [
  'admin_session_required', 'session_expired', 'session_revoked', 'mfa_required', 'too_many_sessions',
  'permission_denied', 'provider_unavailable',
]; // prettier-ignore
const ADMIN_WRITE: readonly ErrorCode[] = ['unsupported_media_type', 'invalid_json', 'invalid_body'];
const ADMIN_CODE: readonly ErrorCode[] = ['mfa_required', 'mfa_proof_invalid', 'rate_limit'];

/** Every code that a route can answer with, in the catalogue's order. */
export function codesOf(route: RouteFacts): readonly ErrorCode[] {
  const codes = new Set([...guardCodes(route), ...ruleCodes(route.body), ...(route.facts?.refuses ?? [])]);
  return (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter(code => codes.has(code));
}

function guardCodes(route: RouteFacts): readonly ErrorCode[] {
  const { parameters, scope, permission, method, body, facts, highRiskAction, showsSecret, isMetered, admin } = route;
  const reads = method === 'get';
  return [
    ...ANY_REQUEST,
    ...(parameters.length > 0 ? PATH_PARAMETER : []),
    ...(scope === undefined ? [] : [...KEY, ...(reads ? READ : WRITE)]),
    ...(isMetered ? METERED : []),
    ...(scope ? SCOPE : []),
    ...(permission ? PERMISSION : []),
    ...(showsSecret ? SECRET : []),
    ...(body ? BODY : []),
    ...(facts?.paged ? PAGE : []),
    ...(highRiskAction === undefined ? [] : MFA),
    ...(admin ? ADMIN : []),
    ...(admin && !reads ? ADMIN_WRITE : []),
    ...(admin && admin.highRisk !== null ? ADMIN_CODE : []),
  ];
}

/** The codes that the rules of a body's class name. */
export function ruleCodes(body: RouteFacts['body']): readonly ErrorCode[] {
  if (!body) return [];
  return getMetadataStorage()
    .getTargetValidationMetadatas(body, '', false, false)
    .flatMap(({ context }) => codesIn((context as { readonly code?: RuleCode } | undefined)?.code));
}

function codesIn(code: RuleCode | undefined): readonly ErrorCode[] {
  if (code === undefined) return [];
  return typeof code === 'string' ? [code] : code.among;
}

/** A response for each status, which lists its codes with an example each. */
export function errorResponses(
  codes: readonly ErrorCode[],
  headersOf: (status: number) => Readonly<Record<string, Reference>>,
): Readonly<Record<string, Response>> {
  const statuses = [...new Set(codes.map(code => ERROR_CATALOGUE[code].status))];
  return Object.fromEntries(
    statuses.map(status => [
      String(status),
      errorResponse(
        codes.filter(code => ERROR_CATALOGUE[code].status === status),
        headersOf(status),
      ),
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[], headers: Readonly<Record<string, Reference>>): Response {
  const error = { type: 'object', properties: { code: { type: 'string', enum: codes } }, additionalProperties: true };
  const narrowed = { type: 'object', properties: { error }, additionalProperties: true };
  const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] };
  const examples = Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }]));
  return { description: codes.join(', '), headers, content: { 'application/json': { schema, examples } } };
}

/**
 * An envelope of each code among `wanted`, by default of every code, as the service answers it. A code that was not
 * recorded has its title as its message.
 */
export function errorExamples(urls: ErrorUrls, wanted?: ReadonlySet<ErrorCode>): Components['examples'] {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  const shown = wanted ? codes.filter(code => wanted.has(code)) : codes;
  return Object.fromEntries(
    shown.map(code => [
      code,
      { summary: ERROR_CATALOGUE[code].title, value: errorBody(exampleOf(code), EXAMPLE_REQUEST_ID, urls) },
    ]),
  );
}

function exampleOf(code: ErrorCode): Refusal {
  return refuse(code, RECORDED_EXAMPLES.errors[code]);
}

export const ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'Every failed request answers this. Branch on the type when a code is new to you.',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'doc_url', 'request_log_url'],
      additionalProperties: false,
      properties: {
        type: { type: 'string', enum: [...new Set(Object.values(ERROR_CATALOGUE).map(entry => entry.type))] },
        code: { type: 'string', description: 'New codes are added over time', enum: Object.keys(ERROR_CATALOGUE) },
        message: { type: 'string', description: 'For people; its words may change' },
        param: {
          type: 'string',
          description: 'The field at fault, when it is exactly one',
          examples: ['routes[1].wallet_id'],
        },
        detail: {
          type: 'object',
          description: 'Of passkey_rejected only',
          required: ['reason'],
          properties: { reason: { type: 'string' } },
        },
        doc_url: { type: 'string', format: 'uri' },
        request_log_url: { type: 'string', format: 'uri' },
      },
    },
  },
};
