import { API_VERSIONS } from '../../../kernel/api-versions';
import {
  arrayOf,
  constant,
  id,
  inVersionAskedFor,
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
import { PAYMENT_INTENT } from '../../payment-intents/api/payment-intent.answer';
import { ALL_TYPES, WEBHOOK_TYPES } from '../webhook-types';

const API_VERSION = oneOfTexts<string>(API_VERSIONS, 'Pinned when the endpoint was created');

const ENDPOINT_FIELDS = {
  id: id('we'),
  object: constant('webhook_endpoint'),
  mode: MODE,
  url: text('Where deliveries go, as it was given', 'https://shop.example/hooks'),
  description: nullable(text('Your name for it', 'Orders')),
  enabled_events: arrayOf(oneOfTexts<string>([ALL_TYPES, ...WEBHOOK_TYPES])),
  status: oneOfTexts(['enabled', 'disabled']),
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

export const WEBHOOK_ENDPOINT = resource(
  'webhook_endpoint',
  'Where events are sent, with the secrets that sign now but not their text',
  ENDPOINT_FIELDS,
);

export type WebhookEndpointResource = Answer<typeof WEBHOOK_ENDPOINT>;

export const ISSUED_WEBHOOK_ENDPOINT = resource(
  'issued_webhook_endpoint',
  'An endpoint with a new signing secret',
  { ...ENDPOINT_FIELDS, secret: text('The signing secret, shown this once', 'whsec_…') },
);

export type IssuedWebhookEndpointResource = Answer<typeof ISSUED_WEBHOOK_ENDPOINT>;

export const DELIVERY_ATTEMPT = resource(
  'delivery_attempt',
  'One attempt to deliver an event, and what came of it',
  {
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
  },
);

export type DeliveryAttemptResource = Answer<typeof DELIVERY_ATTEMPT>;

const ENVELOPE_FIELDS = {
  id: id('evt', 'The same in every attempt: handle each once'),
  type: oneOfTexts<string>(WEBHOOK_TYPES),
  created: whole('Unix seconds', 1_795_262_400),
  api_version: oneOfTexts<string>(API_VERSIONS),
  data: inVersionAskedFor(PAYMENT_INTENT),
};

export const WEBHOOK_DELIVERY = resource(
  'webhook_delivery',
  'The body of every delivery',
  ENVELOPE_FIELDS,
);

export const WEBHOOK_EVENT = resource(
  'webhook_event',
  'What is delivered, and how that stands',
  {
    ...ENVELOPE_FIELDS,
    object: constant('webhook_event'),
    deliveries: arrayOf(
      record({
        endpoint: id('we'),
        status: oneOfTexts(['pending', 'delivered', 'exhausted']),
        attempts: whole('Made so far, those by hand among them', 1),
        next_attempt_at: nullable(timestamp('Null when none is to come')),
      }),
    ),
  },
);

export type WebhookEventResource = Answer<typeof WEBHOOK_EVENT>;
