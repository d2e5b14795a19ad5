import { BoundedMap } from '../../kernel/bounded-map';
import { streamName } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WebhookOutcome, WebhookSender } from '../../kernel/ports/webhook-sender';
import type { SystemCommands } from '../../kernel/system-commands';
import type { WritePath } from '../../kernel/write-path';
import type { PaymentSnapshot } from '../../modules/webhooks/payment-snapshot';
import { signatureHeader } from '../../modules/webhooks/signature';
import type { SigningSecrets } from '../../modules/webhooks/signing-secrets';
import {
  dueAttempt,
  isDelivered,
  parseDeliveryId,
  webhookDeliveries,
  type DueAttempt,
} from '../../modules/webhooks/webhook-delivery.decider';
import type { Answer, DeliveryFacts } from '../../modules/webhooks/webhook-delivery.events';
import {
  activeSecrets,
  webhookEndpoints,
  type LiveWebhookEndpoint,
} from '../../modules/webhooks/webhook-endpoint.decider';
import { envelope } from '../../modules/webhooks/webhook-event';
import type { DeliveryWrites } from './delivery-writes';
import { isGivenUp } from './endpoint-health';

/** The record for a disabled endpoint in place of a receiver's answer. */
const NOT_SENT: WebhookOutcome = { statusCode: null, error: 'endpoint_disabled', latencyMs: 0, responseExcerpt: '' };
/** Beyond this number the oldest is forgotten, and its attempt is made again. */
const UNRECORDED_LIMIT = 10_000;

type WebhookDeliveryParts = {
  readonly writes: WritePath;
  readonly deliveryWrites: DeliveryWrites;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly sender: WebhookSender;
  readonly secrets: SigningSecrets;
  readonly paymentAsOf: PaymentSnapshot;
  /**
   * The merchant's clock says when retries fall due and secrets lapse. The wall's dates signatures, since receivers
   * compare them with their own.
   */
  readonly clock: MerchantClocks;
  readonly commands: SystemCommands;
};

/** The outcome of a look at a delivery. */
export type Attempted = {
  /** Whether the stream had an attempt that was due. */
  readonly wasDue: boolean;
  /** The receiver's answer; null where nothing was sent. */
  readonly outcome: WebhookOutcome | null;
  /** Another attempt is due at once. */
  readonly isMore: boolean;
};

const NOTHING_DUE: Attempted = { wasDue: false, outcome: null, isMore: false };

type Sending = {
  readonly mode: Mode;
  readonly eventId: string;
  readonly facts: DeliveryFacts;
  readonly endpoint: LiveWebhookEndpoint;
  /** Milliseconds by the merchant's clock. */
  readonly now: number;
};

/** `now`: the attempt's moment by the merchant's clock. */
type MadeAttempt = { readonly outcome: WebhookOutcome; readonly now: number };

/**
 * Makes the attempts of a delivery, at least once each. An attempt is sent first and recorded then, so a crash between
 * the two sends it again. While an endpoint is disabled, its attempts fail unsent on the schedule. So the attempts that
 * are left go out if the endpoint is enabled meanwhile.
 */
export class WebhookDelivery {
  /**
   * The answers of receivers to attempts that are not recorded yet. While the log can be read and not written, an
   * attempt comes again and again: it is recorded then, not sent again. A process that dies forgets the answers, and
   * the next one sends again: at least once.
   */
  private readonly unrecorded = new BoundedMap<string, MadeAttempt>(UNRECORDED_LIMIT);

  constructor(private readonly parts: WebhookDeliveryParts) {}

  /** Makes one attempt, by the stream as it is now: a delivery that is delivered, not due or unknown is left alone. */
  async attempt(mode: Mode, deliveryId: string): Promise<Attempted> {
    const { writes, deliveryWrites, clock } = this.parts;
    const { state: delivery, history } = await writes.load(webhookDeliveries, mode, deliveryId);
    const [opening] = history;
    if (delivery.status === 'none' || !opening) return NOTHING_DUE;
    const now = await clock.merchantNow(mode, opening.metadata.merchant_id);
    const due = dueAttempt(delivery, now);
    if (!due) return NOTHING_DUE;
    const { eventId, endpointId } = parseDeliveryId(deliveryId);
    const { state: endpoint } = await writes.load(webhookEndpoints, mode, endpointId);
    invariant(endpoint.status !== 'none', `${deliveryId} is for an endpoint that does not exist`);
    const isOpen = endpoint.status === 'enabled';
    const attempt = `${mode}/${deliveryId}/${due.trigger}/${numberOf(due)}`;
    const made = this.unrecorded.get(attempt) ?? {
      outcome: isOpen ? await this.send({ mode, eventId, facts: delivery.facts, endpoint, now }) : NOT_SENT,
      now,
    };
    this.unrecorded.set(attempt, made);
    const commands = this.parts.commands.of('webhooks');
    const { merchant_id: merchantId } = opening.metadata;
    const context = await commands.as('sweeper', mode, merchantId, { cause: opening, nowMs: made.now });
    const { state } = await deliveryWrites.execute(deliveryId, recordOf(due, made.outcome), context);
    this.unrecorded.delete(attempt);
    const isMore = state.status !== 'none' && dueAttempt(state, now) !== null;
    if (isOpen && !isDelivered(made.outcome.statusCode) && (await this.isGivenUp(mode, endpointId, now))) {
      const disable = { type: 'disable', reason: 'sustained_failure' } as const;
      await commands.execute(webhookEndpoints, endpointId, () => ({ command: disable, actor: 'sweeper' }), {
        mode,
        cause: opening,
        nowMs: now,
      });
    }
    return { wasDue: true, outcome: isOpen ? made.outcome : null, isMore };
  }

  private isGivenUp(mode: Mode, endpointId: string, now: number): Promise<boolean> {
    return isGivenUp(this.parts.readModels, mode, endpointId, now);
  }

  private async send({ mode, eventId, facts, endpoint, now }: Sending): Promise<WebhookOutcome> {
    const { store, paymentAsOf, secrets, sender, clock } = this.parts;
    const stream = streamName(mode, 'payment_intent', facts.payment_intent);
    const history = await store.readStream(stream, { limit: facts.payment_revision + 1 });
    const payment = paymentAsOf(history, endpoint.apiVersion);
    invariant(payment, `${stream} is empty, and ${eventId} tells of it`);
    const body = JSON.stringify(envelope(eventId, facts, endpoint.apiVersion, payment.resource));
    const texts = await Promise.all(activeSecrets(endpoint.secrets, now).map(secret => secrets.open(secret)));
    const signature = signatureHeader(body, texts, clock.now());
    const headers = { 'content-type': 'application/json', 'service-signature': signature };
    return sender.send({ url: endpoint.url, mode, headers, body });
  }
}

function numberOf(due: DueAttempt): number {
  return due.trigger === 'schedule' ? due.attempt : due.redelivery;
}

function recordOf(due: DueAttempt, outcome: WebhookOutcome) {
  const answer: Answer = {
    status_code: outcome.statusCode,
    error: outcome.error,
    latency_ms: outcome.latencyMs,
    response_excerpt: outcome.responseExcerpt,
  };
  if (due.trigger === 'manual') return { type: 'record_redelivery', redelivery: due.redelivery, answer } as const;
  return { type: 'record_attempt', attempt: due.attempt, answer } as const;
}
