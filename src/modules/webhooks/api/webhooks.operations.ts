import type { OperationTable, WebhookFacts } from '../../../platform/http/openapi-operation';
import { id, listOf, oneOfTexts } from '../../../platform/http/openapi-schema';
import { WEBHOOK_TYPES } from '../webhook-types';
import {
  DELIVERY_ATTEMPT,
  ISSUED_WEBHOOK_ENDPOINT,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_EVENT,
} from './webhook.schema';

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
    refuses: ['unknown_endpoint', 'invalid_webhook_url', 'insecure_webhook_url'],
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

export const WEBHOOK_EVENT_OPERATIONS = {
  list: {
    id: 'listWebhookEvents',
    summary: 'List events, newest first; `delivered=false` are those that an endpoint has missed',
    answer: listOf(WEBHOOK_EVENT),
    paged: true,
    query: {
      delivered: oneOfTexts(['true', 'false']),
      type: oneOfTexts(WEBHOOK_TYPES),
      payment_intent: id('pi'),
    },
    refuses: [],
  },
  get: {
    id: 'getWebhookEvent',
    summary: 'Retrieve an event, as it was and will be delivered',
    answer: WEBHOOK_EVENT,
    refuses: ['resource_missing'],
  },
  redeliver: {
    id: 'redeliverWebhookEvent',
    summary: 'Make an attempt now, beside the schedule; answers when it was made',
    description:
      'An endpoint is sent four messages at once. Where others are ahead, the answer comes after 15 seconds and the attempt follows.',
    answer: WEBHOOK_EVENT,
    refuses: ['resource_missing', 'unknown_endpoint', 'invalid_state_transition', 'attempt_exhausted'],
  },
} as const satisfies OperationTable;

export const SENT_WEBHOOKS: WebhookFacts = {
  types: WEBHOOK_TYPES,
  reserved: WEBHOOK_TYPES.filter(type => type.startsWith('refund.')),
  body: WEBHOOK_DELIVERY,
};
