import type { Entropy } from '../../kernel/entropy';
import { parseStreamName, streamName, type Mode } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore, GroupMessage } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WebhookOutcome, WebhookSender } from '../../kernel/ports/webhook-sender';
import type { WritePath } from '../../kernel/write-path';
import type { PaymentSnapshot } from '../../modules/webhooks/payment-snapshot';
import { signatureHeader } from '../../modules/webhooks/signature';
import type { SigningSecrets } from '../../modules/webhooks/signing-secrets';
import {
  isDelivered,
  isDue,
  parseDeliveryId,
  webhookDeliveries,
  type KnownDelivery,
} from '../../modules/webhooks/webhook-delivery.decider';
import type { Answer, DeliveryFacts } from '../../modules/webhooks/webhook-delivery.events';
import {
  activeSecrets,
  webhookEndpoints,
  type LiveWebhookEndpoint,
} from '../../modules/webhooks/webhook-endpoint.decider';
import { envelope } from '../../modules/webhooks/webhook-event';
import { isGivenUp } from './endpoint-health';
import { UnrecordedAnswers } from './unrecorded-answers';
import { webhookContext } from './webhook-context';

/** `schedule`: only where the schedule's next attempt is due; `manual`: at once, beside it. */
export type Trigger = 'schedule' | 'manual';

/** What is recorded for a disabled endpoint in place of a receiver's answer. */
const NOT_SENT: WebhookOutcome = { statusCode: null, error: 'endpoint_disabled', latencyMs: 0, responseExcerpt: '' };

export type WebhookDeliveryParts = {
  readonly writes: WritePath;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly sender: WebhookSender;
  readonly secrets: SigningSecrets;
  readonly paymentAsOf: PaymentSnapshot;
  /** The merchant's says when retries fall due and secrets lapse; the wall's dates signatures, since receivers compare them with their own. */
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
};

type Sending = {
  readonly mode: Mode;
  readonly eventId: string;
  readonly facts: DeliveryFacts;
  readonly endpoint: LiveWebhookEndpoint;
  /** By the merchant's clock. */
  readonly now: number;
};

/**
 * Makes the attempts of a delivery. It sends first and records then, so a crash between the two sends again: at least once. While an endpoint
 * is disabled, its attempts fail unsent on the schedule, so that what is left of it goes out if the endpoint is enabled meanwhile.
 */
export class WebhookDelivery {
  private readonly unrecorded = new UnrecordedAnswers();

  constructor(private readonly parts: WebhookDeliveryParts) {}

  /** Group `deliveries`, category `webhook_delivery`: the first attempt. Those that follow are the sweeper's. */
  async handle({ event }: GroupMessage): Promise<void> {
    if (event.type !== 'DeliveryScheduled') return;
    const { universe, id } = parseStreamName(event.stream);
    invariant(universe !== 'platform', `${event.stream} belongs to no mode`);
    await this.attempt(universe, id);
  }

  /** Looks at the stream as it is now: what is delivered, not due or unknown is left alone. */
  async attempt(mode: Mode, deliveryId: string, trigger: Trigger = 'schedule'): Promise<void> {
    const { writes, clock, entropy } = this.parts;
    const { state: delivery, history } = await writes.load(webhookDeliveries, mode, deliveryId);
    const [opening] = history;
    if (delivery.status === 'none' || !opening) return;
    const now = await clock.merchantNow(mode, opening.metadata.merchant_id);
    if (trigger === 'schedule' && !isDue(delivery, now)) return;
    const { eventId, endpointId } = parseDeliveryId(deliveryId);
    const { state: endpoint } = await writes.load(webhookEndpoints, mode, endpointId);
    invariant(endpoint.status !== 'none', `${deliveryId} is for an endpoint that does not exist`);
    const isOpen = endpoint.status === 'enabled';
    const attempt = `${mode}/${deliveryId}/${trigger === 'manual' ? trigger : delivery.next?.attempt}`;
    const made = this.unrecorded.get(attempt) ?? {
      outcome: isOpen ? await this.send({ mode, eventId, facts: delivery.facts, endpoint, now }) : NOT_SENT,
      now,
    };
    if (trigger === 'schedule') this.unrecorded.keep(attempt, made);
    const { outcome } = made;
    const context = webhookContext(entropy, mode, opening, made.now);
    await writes.execute(webhookDeliveries, deliveryId, recordOf(delivery, outcome, trigger), context);
    this.unrecorded.recorded(attempt);
    if (!isOpen || isDelivered(outcome.statusCode)) return;
    if (!(await isGivenUp(this.parts.readModels, mode, endpointId, now))) return;
    const disable = { type: 'disable', reason: 'sustained_failure' } as const;
    await writes.execute(webhookEndpoints, endpointId, disable, webhookContext(entropy, mode, opening, now));
  }

  private async send({ mode, eventId, facts, endpoint, now }: Sending): Promise<WebhookOutcome> {
    const { store, paymentAsOf, secrets, sender, clock } = this.parts;
    const stream = streamName(mode, 'payment_intent', facts.payment_intent);
    const history = await store.readStream(stream, { limit: facts.payment_revision + 1 });
    const payment = paymentAsOf(history, endpoint.apiVersion);
    invariant(payment, `${stream} is empty, and ${eventId} tells of it`);
    const body = JSON.stringify(envelope(eventId, facts, endpoint.apiVersion, payment.resource));
    const texts = activeSecrets(endpoint.secrets, now).map(secret => secrets.open(secret));
    const signature = signatureHeader(body, texts, clock.now());
    const headers = { 'content-type': 'application/json', 'service-signature': signature };
    return sender.send({ url: endpoint.url, mode, headers, body });
  }
}

function recordOf(delivery: KnownDelivery, outcome: WebhookOutcome, trigger: Trigger) {
  const answer: Answer = {
    status_code: outcome.statusCode,
    error: outcome.error,
    latency_ms: outcome.latencyMs,
    response_excerpt: outcome.responseExcerpt,
  };
  if (trigger === 'manual') return { type: 'record_redelivery', answer } as const;
  invariant(delivery.next, 'an attempt was made, so one was due');
  return { type: 'record_attempt', attempt: delivery.next.attempt, answer } as const;
}
