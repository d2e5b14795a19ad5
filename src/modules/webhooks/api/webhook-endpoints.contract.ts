import { API_VERSIONS } from '../../../vocabulary/api-versions';
import { refuse } from '../../../vocabulary/errors';
import { grants } from '../../../vocabulary/scopes';
import type { BodyCheck } from '../../../platform/http/caller';
import { TextList } from '../../../platform/http/fields/part-fields';
import { keywordsOf, OneOf, Text, Url } from '../../../platform/http/fields/text-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { checkedDescription, checkedTypes, ENDPOINT_DESCRIPTION } from '../webhook-endpoint.decider';
import { ALL_TYPES, WEBHOOK_TYPES } from '../webhook-types';
import { ADDRESS_RULES, MAX_URL_LENGTH, webhookUrl, type AddressRules } from '../webhook-url';

const SUBSCRIBABLE = [ALL_TYPES, ...WEBHOOK_TYPES];
const STATUSES = ['enabled', 'disabled'] as const;
const DESCRIPTION = {
  presence: 'nullable',
  max: ENDPOINT_DESCRIPTION.max,
  later: keywordsOf(ENDPOINT_DESCRIPTION),
} as const;
const ENABLED_EVENTS = {
  values: SUBSCRIBABLE,
  max: SUBSCRIBABLE.length,
  judgedLater: true,
  description: 'Types, or `*` alone for all',
} as const;

export class CreateWebhookEndpointDto {
  @Url({
    maxLength: MAX_URL_LENGTH,
    code: 'invalid_webhook_url',
    description: 'Public https, at a port that the operator has opened; in test mode http as well',
    example: 'https://shop.example/hooks',
  })
  url!: string;

  @TextList(ENABLED_EVENTS)
  enabled_events!: string[];

  @Text(DESCRIPTION)
  description?: string | null;
}

export class ChangeWebhookEndpointDto {
  @Url({
    presence: 'optional',
    maxLength: MAX_URL_LENGTH,
    code: 'invalid_webhook_url',
    description: 'Needs the scope webhook_url:manage',
  })
  url?: string;

  @TextList({ ...ENABLED_EVENTS, presence: 'optional' })
  enabled_events?: string[];

  @Text(DESCRIPTION)
  description?: string | null;

  @OneOf(STATUSES, { presence: 'optional' })
  status?: (typeof STATUSES)[number];
}

export const checkEndpoint: BodyCheck<CreateWebhookEndpointDto | ChangeWebhookEndpointDto> = (body, context) => {
  const { url, enabled_events: enabledEvents, description = null } = body;
  if (url !== undefined) webhookUrl(url, context.caller.mode, context.provided<AddressRules>(ADDRESS_RULES));
  if (enabledEvents !== undefined) checkedTypes(enabledEvents);
  checkedDescription(description);
};

/** A change of the URL needs a scope of its own, which like any other is asked for before a code is. */
export const checkEndpointChange: BodyCheck<ChangeWebhookEndpointDto> = (body, context) => {
  if (body.url !== undefined && !grants(context.caller.scopes, 'webhook_url:manage')) {
    throw refuse('insufficient_scope', { message: 'To change the url the key needs webhook_url:manage.' });
  }
  checkEndpoint(body, context);
};

const API_VERSION = oneOfTexts<string>(API_VERSIONS, 'Pinned when the endpoint was created');

const ENDPOINT_FIELDS = {
  id: id('we'),
  object: constant('webhook_endpoint'),
  mode: MODE,
  url: text('Where deliveries go, as it was given', 'https://shop.example/hooks'),
  description: nullable(text('Your name for it', 'Orders')),
  enabled_events: arrayOf(oneOfTexts<string>(SUBSCRIBABLE)),
  status: oneOfTexts(STATUSES),
  disabled_reason: nullable(oneOfTexts(['disabled_by_merchant', 'sustained_failure'])),
  api_version: API_VERSION,
  secrets: arrayOf(
    record({
      id: id('ws'),
      created: timestamp(),
      expires_at: nullable(timestamp('Null for the newest one')),
    }),
  ),
  created: timestamp(),
};

const WEBHOOK_ENDPOINT = resource(
  'webhook_endpoint',
  'Where events are sent, with the secrets that sign now but not their text',
  ENDPOINT_FIELDS,
);

export type WebhookEndpointResource = Answer<typeof WEBHOOK_ENDPOINT>;

const ISSUED_WEBHOOK_ENDPOINT = resource('issued_webhook_endpoint', 'An endpoint with a new signing secret', {
  ...ENDPOINT_FIELDS,
  secret: text('The signing secret, shown this once', 'whsec_…'),
});

export type IssuedWebhookEndpointResource = Answer<typeof ISSUED_WEBHOOK_ENDPOINT>;

const DELIVERY_ATTEMPT = resource('delivery_attempt', 'One attempt to deliver an event, and what came of it', {
  id: id('da'),
  object: constant('delivery_attempt'),
  event: id('evt'),
  endpoint: id('we'),
  attempt: whole('From 1 to 8', 1, { minimum: 1, maximum: 8 }),
  trigger: oneOfTexts(['schedule', 'manual']),
  status_code: nullable(whole('Null when there was no answer', 200)),
  error: nullable(text('Why there was no answer')),
  latency_ms: whole('Milliseconds until the answer or its failure', 84),
  response_excerpt: text('The first 1,024 characters of the answer'),
  created: timestamp(),
});

export type DeliveryAttemptResource = Answer<typeof DELIVERY_ATTEMPT>;

export const WEBHOOK_ENDPOINT_OPERATIONS = {
  create: {
    id: 'createWebhookEndpoint',
    summary: 'Create an endpoint; its signing secret is shown this once',
    answer: ISSUED_WEBHOOK_ENDPOINT,
    refuses: ['invalid_webhook_url', 'insecure_webhook_url'],
  },
  list: {
    id: 'listWebhookEndpoints',
    summary: 'List the endpoints of this mode, newest first',
    answer: listOf(WEBHOOK_ENDPOINT),
    paged: true,
    refuses: [],
  },
  get: {
    id: 'getWebhookEndpoint',
    summary: 'Retrieve an endpoint',
    answer: WEBHOOK_ENDPOINT,
    refuses: ['unknown_endpoint'],
  },
  change: {
    id: 'updateWebhookEndpoint',
    summary: 'Change an endpoint; what the body leaves out stays as it is',
    description: 'To change the `url` the key needs `webhook_url:manage` as well.',
    answer: WEBHOOK_ENDPOINT,
    refuses: ['unknown_endpoint', 'invalid_webhook_url', 'insecure_webhook_url', 'invalid_state_transition'],
  },
  rollSecret: {
    id: 'rollWebhookEndpointSecret',
    summary: 'Make a new signing secret, shown this once; the old one signs beside it for 24 hours',
    answer: ISSUED_WEBHOOK_ENDPOINT,
    refuses: ['unknown_endpoint', 'invalid_state_transition'],
  },
  deliveries: {
    id: 'listWebhookEndpointDeliveries',
    summary: 'List the attempts of an endpoint, newest first, or those of one event',
    answer: listOf(DELIVERY_ATTEMPT),
    paged: true,
    query: { event: id('evt') },
    refuses: ['unknown_endpoint'],
  },
} as const satisfies OperationTable;
