import { API_VERSIONS } from '../../../vocabulary/api-versions';
import { Id } from '../../../platform/http/fields/text-fields';
import type { OperationTable, WebhookFacts } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  id,
  inVersionAskedFor,
  listOf,
  nullable,
  oneOfTexts,
  record,
  resource,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { PAYMENT_INTENT } from '../../payment-intents/queries/payment-intent.answer';
import { statusToldBy, WEBHOOK_TYPES } from '../webhook-types';

export class RedeliverDto {
  @Id('we', { description: 'To which endpoint' })
  endpoint!: string;
}

const ENVELOPE_FIELDS = {
  id: id('evt', 'The same in every attempt: handle each once'),
  type: oneOfTexts<string>(WEBHOOK_TYPES),
  created: whole('Unix seconds', 1_795_262_400),
  api_version: oneOfTexts<string>(API_VERSIONS),
  data: inVersionAskedFor(PAYMENT_INTENT),
};

const WEBHOOK_DELIVERY = resource('webhook_delivery', 'The body of every delivery', ENVELOPE_FIELDS);

const WEBHOOK_EVENT = resource('webhook_event', 'An event for endpoints, and how its deliveries stand', {
  ...ENVELOPE_FIELDS,
  object: constant('webhook_event'),
  deliveries: arrayOf(
    record({
      endpoint: id('we'),
      status: oneOfTexts(
        ['pending', 'delivered', 'exhausted', 'withheld'],
        'Withheld: nothing is sent by itself, since the endpoint was disabled or did not want the event as it arose',
      ),
      attempts: whole('Attempts of the schedule made so far, 8 at most', 1),
      manual_attempts: whole('Attempts by hand made so far, 100 at most', 0),
      next_attempt_at: nullable(timestamp('Null when none is to come')),
    }),
  ),
});

export type WebhookEventResource = Answer<typeof WEBHOOK_EVENT>;

export const WEBHOOK_EVENT_OPERATIONS = {
  list: {
    id: 'listWebhookEvents',
    summary: 'List the events of the account, newest first, whoever listened',
    description:
      'With `delivered=true`, at least one delivery was opened, and each that was opened has reached its endpoint. To fill a new endpoint, list the events and deliver each again.',
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
      'An endpoint is sent four messages at once. Where others are ahead, the answer comes after 25 seconds and the attempt follows.',
    answer: WEBHOOK_EVENT,
    refuses: ['resource_missing', 'unknown_endpoint', 'invalid_state_transition', 'attempt_exhausted'],
  },
} as const satisfies OperationTable;

export const SENT_WEBHOOKS: WebhookFacts = {
  types: WEBHOOK_TYPES,
  reserved: WEBHOOK_TYPES.filter(type => type.startsWith('refund.')),
  body: WEBHOOK_DELIVERY,
  statusOf: statusToldBy,
};
