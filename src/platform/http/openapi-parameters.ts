import { API_VERSIONS } from '../../vocabulary/api-versions';
import { ONE_TIME_CODE } from '../../vocabulary/one-time-codes';
import type { Components, Method, Parameter, Reference } from '../docs/api-document';
import { PAGE_LIMIT } from './lists';
import type { RouteFacts } from './openapi-routes';

const PROTECTED: readonly Method[] = ['post', 'put'];

/** Headers and query parameters that several operations take. */
export const SHARED_PARAMETERS = {
  limit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Length of the page',
    schema: { type: 'integer', minimum: 1, maximum: PAGE_LIMIT.max, default: PAGE_LIMIT.default },
  },
  starting_after: {
    name: 'starting_after',
    in: 'query',
    required: false,
    description: 'The id of the last object of the page before',
    schema: { type: 'string' },
  },
  api_version: {
    name: 'Api-Version',
    in: 'header',
    required: false,
    description: 'The version to be answered in; without it, the one that the account is pinned to',
    schema: { type: 'string', enum: API_VERSIONS },
  },
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A text of your own for this request: sent again within 24 hours, it gets the same answer and acts once',
    schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['5c3f1f7e-0d0c-4c55-9d8b-0f3f2b1c9a77'] },
  },
  mfa_code: {
    name: 'Mfa-Code',
    in: 'header',
    required: false,
    description: 'A fresh code of an authenticator app; each can be used once. This or `Mfa-Proof` is required.',
    schema: { type: 'string', pattern: ONE_TIME_CODE.source, examples: ['123456'] },
  },
  mfa_proof: {
    name: 'Mfa-Proof',
    in: 'header',
    required: false,
    description: 'A proof made beforehand for this very action, instead of `Mfa-Code`',
    schema: { type: 'string' },
  },
  mfa_user: {
    name: 'Mfa-User',
    in: 'header',
    required: false,
    description: 'Whose code it is, where several users of the account have an authenticator',
    schema: { type: 'string', examples: ['usr_01kb3x5q0g7h2m9c4r8v6t1zny'] },
  },
} as const satisfies Components['parameters'];

/** Headers and query parameters that several operations of administrators take. */
export const ADMIN_PARAMETERS = {
  limit: SHARED_PARAMETERS.limit,
  starting_after: SHARED_PARAMETERS.starting_after,
  csrf_token: {
    name: 'X-CSRF-Token',
    in: 'header',
    required: true,
    description: 'The token that GET /admin/session shows',
    schema: { type: 'string' },
  },
  fresh_code: {
    name: 'Mfa-Code',
    in: 'header',
    required: true,
    description: 'A fresh code of the authenticator app; each can be used once',
    schema: SHARED_PARAMETERS.mfa_code.schema,
  },
} as const satisfies Components['parameters'];

export function parametersOf(route: RouteFacts): readonly (Parameter | Reference)[] {
  const { parameters, facts, highRiskAction, scope, method, admin } = route;
  const isKeyed = scope !== undefined;
  const inPath = parameters.map((name): Parameter => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(facts?.query ?? {}).map(([name, schema]): Parameter => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
  const inHeader = Object.entries(facts?.headers ?? {}).map(([name, schema]): Parameter => ({
    name,
    in: 'header',
    required: false,
    schema,
  }));
  return [
    ...inPath,
    ...inQuery,
    ...inHeader,
    ...(facts?.paged ? [shared('limit'), shared('starting_after')] : []),
    ...(isKeyed && PROTECTED.includes(method) ? [shared('idempotency_key')] : []),
    ...(isKeyed ? [shared('api_version')] : []),
    ...(highRiskAction === undefined ? [] : [shared('mfa_code'), shared('mfa_proof'), shared('mfa_user')]),
    ...(admin && admin.stages.length > 0 && method !== 'get' ? [shared('csrf_token')] : []),
    ...(admin && admin.highRisk !== null ? [shared('fresh_code')] : []),
  ];
}

function shared(name: keyof typeof SHARED_PARAMETERS | keyof typeof ADMIN_PARAMETERS): Reference {
  return { $ref: `#/components/parameters/${name}` };
}
