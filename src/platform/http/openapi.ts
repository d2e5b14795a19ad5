import type { ModulesContainer } from '@nestjs/core';
import { NEWEST_API_VERSION } from '../../vocabulary/api-versions';
import type { ApiDocument, Components, Method, PathItem, Schema, WebhookItem } from '../docs/api-document';
import { RECORDED_EXAMPLES } from '../docs/recorded-examples';
import { VERSION_CHANGES } from '../versions/shape-in-version';
import type { ErrorUrls } from './error-answer';
import { HEADERS, json, operationOf } from './openapi-answers';
import { SchemaComponents } from './openapi-components';
import { codesOf, ERROR_SCHEMA, errorExamples } from './openapi-errors';
import type { WebhookFacts } from './openapi-operation';
import { ADMIN_PARAMETERS, SHARED_PARAMETERS } from './openapi-parameters';
import { adminRoutesOf, routesOf, webhooksOf, type RouteFacts } from './openapi-routes';
import { declaredTags } from './openapi-tags';
import { ADMIN_COOKIE } from './session-cookie';

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

const ADMIN_DESCRIPTION = [
  'The operator’s own part of the service. Administrators sign in by `POST /admin/session`, and no key works here.',
  'A write shows the token of `GET /admin/session`. A risky one takes a fresh one-time code too.',
  'An action of four eyes is proposed by one administrator, approved by another, and sent again with `approval_id`.',
].join(' ');

/** The operator of a deployment answers for it: nobody else reads its log. */
const CONTACT_NAME = 'The operator of this service';
const LICENSE = { name: 'All rights reserved', identifier: 'LicenseRef-Quittance' };

type Contract = Pick<ApiDocument, 'security'> & {
  readonly title: string;
  readonly description: string;
  readonly routes: readonly RouteFacts[];
  readonly webhooks: readonly WebhookFacts[];
  readonly parameters: Components['parameters'];
  readonly securitySchemes: Components['securitySchemes'];
};

/** The contract, made from the served routes, their bodies' rules and their further facts. */
export function apiDocument(modules: ModulesContainer, urls: DocumentUrls): ApiDocument {
  const contract: Contract = {
    title: 'Quittance',
    description: DESCRIPTION,
    routes: routesOf(modules),
    webhooks: webhooksOf(modules),
    parameters: SHARED_PARAMETERS,
    security: [{ bearer: [] }],
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'API key' } },
  };
  return documentOf(contract, urls);
}

/** The contract of the routes of administrators, which nobody else is shown. */
export function adminDocument(modules: ModulesContainer, urls: DocumentUrls): ApiDocument {
  const contract: Contract = {
    title: 'Quittance, for administrators',
    description: ADMIN_DESCRIPTION,
    routes: adminRoutesOf(modules),
    webhooks: [],
    parameters: ADMIN_PARAMETERS,
    security: [{ admin_session: [] }],
    securitySchemes: { admin_session: { type: 'apiKey', in: 'cookie', name: ADMIN_COOKIE.name } },
  };
  return documentOf(contract, { ...urls, sandboxUrl: null });
}

function documentOf(contract: Contract, urls: DocumentUrls): ApiDocument {
  const { title, description, routes, parameters, security, securitySchemes } = contract;
  const components = new SchemaComponents();
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method satisfies Method]: operationOf(route, components),
    };
  }
  const webhooks = Object.assign({}, ...contract.webhooks.map(facts => webhookItems(facts, components))) as Record<
    string,
    WebhookItem
  >;
  const listed = new Set(routes.flatMap(route => (route.facts ? codesOf(route) : [])));
  const operations = [...routes, ...Object.values(webhooks).map(({ post }) => post)];
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      ...{ title, version: NEWEST_API_VERSION, description },
      contact: { name: CONTACT_NAME, url: urls.docsUrl },
      license: LICENSE,
    },
    servers: serversOf(urls),
    security,
    tags: declaredTags(new Set(operations.flatMap(({ tags }) => tags))),
    paths,
    webhooks,
    components: {
      schemas: { ...components.schemas, Error: ERROR_SCHEMA },
      parameters,
      headers: HEADERS,
      examples: errorExamples(urls, listed),
      securitySchemes,
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
