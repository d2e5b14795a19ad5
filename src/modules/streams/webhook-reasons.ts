import type { Answer, WebhookDeliveryEvent } from '../webhooks/webhook-delivery.events';
import type { WebhookEndpointEvent } from '../webhooks/webhook-endpoint.events';
import type { Reasons } from './reason-words';

const answer = ({ status_code, error, latency_ms }: Answer): string =>
  status_code === null
    ? `There was no answer (${error ?? 'unknown'}) within ${latency_ms} ms.`
    : `The receiver answered ${status_code} after ${latency_ms} ms.`;

export const DELIVERY_REASONS: Reasons<WebhookDeliveryEvent> = {
  DeliveryScheduled: ({ event_type, payment_intent, payment_revision }) =>
    `The endpoint wanted ${event_type}, which event ${payment_revision} of ${payment_intent} tells.`,
  DeliveryWithheld: ({ event_type }) =>
    `The endpoint was disabled as ${event_type} arose, so nothing is sent unless somebody asks for it.`,
  DeliverySucceeded: data => `Attempt ${data.attempt} reached the receiver. ${answer(data)}`,
  DeliveryAttemptFailed: data =>
    `Attempt ${data.attempt} failed. ${answer(data)} ` +
    (data.next_attempt_at === null ? 'It was the last one.' : `The next one is due at ${data.next_attempt_at}.`),
  RedeliveryRequested: ({ redelivery }) => `Somebody asked for redelivery ${redelivery}.`,
  RedeliverySucceeded: data => `A redelivery reached the receiver. ${answer(data)}`,
  RedeliveryFailed: data => `A redelivery failed. ${answer(data)}`,
};

export const ENDPOINT_REASONS: Reasons<WebhookEndpointEvent> = {
  WebhookEndpointCreated: ({ url, enabled_events }) => `${url} takes webhooks of ${enabled_events.length} types.`,
  WebhookEndpointMoved: ({ url }) => `Webhooks go to ${url} from now on.`,
  WebhookEndpointDescribed: () => 'The description was changed.',
  WebhookEndpointSubscribed: ({ enabled_events }) => `The endpoint wants ${enabled_events.join(', ')}.`,
  WebhookEndpointEnabled: () => 'The endpoint takes webhooks again.',
  WebhookEndpointDisabled: ({ reason }) =>
    reason === 'sustained_failure'
      ? 'Nothing was delivered for so long that the endpoint was disabled.'
      : 'The merchant disabled the endpoint.',
  SigningSecretRolled: ({ overlap_ends_at }) =>
    `There is a new signing secret. Earlier ones sign until ${overlap_ends_at}.`,
};
