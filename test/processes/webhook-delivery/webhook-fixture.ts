import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliveriesProjection } from '../../../projections/deliveries.projection';
import { dueDeliveriesProjection } from '../../../projections/due-deliveries.projection';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints.projection';
import { webhookEventsProjection } from '../../../projections/webhook-events.projection';
import { composeWebhooks } from '../../../src/composition/webhooks';
import type { ApiVersion } from '../../../src/vocabulary/api-versions';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { fold } from '../../../src/kernel/decider';
import { streamName, type RecordedEvent } from '../../../src/kernel/event';
import type { Mode } from '../../../src/vocabulary/modes';
import type { LogPosition } from '../../../src/kernel/log-position';
import { SecretUnreadable, type SecretBox } from '../../../src/kernel/ports/secret-box';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../../src/kernel/ports/webhook-sender';
import { applyEvents, documentIds, type Projection } from '../../../src/kernel/projection';
import { SystemCommands } from '../../../src/kernel/system-commands';
import { WritePath, type Aggregate } from '../../../src/kernel/write-path';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import type { PaymentSnapshot } from '../../../src/modules/webhooks/payment-snapshot';
import type { WebhookPayments } from '../../../src/modules/webhooks/webhook-payments';
import { SigningSecrets } from '../../../src/modules/webhooks/signing-secrets';
import { deliveryId, webhookDeliveries } from '../../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEndpoints } from '../../../src/modules/webhooks/webhook-endpoint.decider';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import type { WebhookUrl } from '../../../src/modules/webhooks/webhook-url';
import type { DeliveryWrites } from '../../../src/processes/webhook-delivery/delivery-writes';
import type { Dispatcher } from '../../../src/processes/webhook-delivery/dispatch/dispatcher';
import { RedeliverWebhookEventHandler } from '../../../src/processes/webhook-delivery/redeliver-webhook-event.handler';
import type { WebhookDelivery } from '../../../src/processes/webhook-delivery/webhook-delivery';
import type { WebhookScheduling } from '../../../src/processes/webhook-delivery/openings/webhook-scheduling';
import { COMPLETE_INDEX } from '../../support/complete-index';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { RecordingLog } from '../../support/payment-fixture';
import { CountingEntropy } from '../../support/fixture-doubles';
import { termsOf } from '../../support/payment-terms';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const MERCHANT = 'mch_00000000000000000000000000';
export const PAYMENT = 'pi_00000000000000000000000001';

const CONFIG = {
  modes: ['test', 'live'],
  checkoutUrl: 'https://pay.example',
  webhookAllowedSubnets: [],
  webhookPorts: [443],
} as const;

const PROJECTIONS: readonly Projection[] = [
  webhookEndpointsProjection,
  deliveriesProjection,
  dueDeliveriesProjection,
  webhookEventsProjection,
];

/** Appends the given events: a payment's history without the remaining parts of the service. */
const recorded: Aggregate<null, readonly PaymentIntentEvent[], PaymentIntentEvent> = {
  category: 'payment_intent',
  notFound: null,
  initial: null,
  decide: events => events,
  evolve: () => null,
};

/** The box is reversible, and bound to the record, on which the processes rely. */
export const secretBox: SecretBox = {
  seal: (plaintext, recordId) => Promise.resolve(`${recordId}|${plaintext}`),
  open: (sealed, recordId) => {
    const [id, plaintext = ''] = sealed.split('|');
    if (id !== recordId) return Promise.reject(new SecretUnreadable(recordId, `it is sealed for ${id}`));
    return Promise.resolve(plaintext);
  },
  deriveKey: purpose => Promise.resolve(createHmac('sha256', 'master').update(purpose).digest()),
};

/** A waiting caller lets the others go on; time stands. */
class YieldingClock extends ManualClock {
  override wait(): Promise<void> {
    return nextTurn();
  }
}

export const ok: WebhookOutcome = { statusCode: 200, error: null, latencyMs: 5, responseExcerpt: 'ok' };
export const broken: WebhookOutcome = { statusCode: 500, error: null, latencyMs: 5, responseExcerpt: '' };

/** Webhooks over stores in memory; the receiver answers as `answer` says. */
export class WebhookFixture {
  readonly clock = new YieldingClock(NOON);
  readonly log = new RecordingLog();
  readonly documents = new MemoryDocuments();
  readonly readModels: StoredReadModels;
  readonly sent: WebhookRequest[] = [];
  /** Called for each attempt; runs between the sending and the recording. */
  answer: (request: WebhookRequest) => WebhookOutcome | Promise<WebhookOutcome> = () => ok;
  readonly entropy = new CountingEntropy();
  readonly secrets = new SigningSecrets(this.entropy, secretBox);
  readonly writes: WritePath;
  readonly scheduling: WebhookScheduling;
  readonly deliveryWrites: DeliveryWrites;
  readonly delivery: WebhookDelivery;
  /** Sends the deliveries that a ring names. */
  readonly dispatcher: Dispatcher;
  readonly redelivering: RedeliverWebhookEventHandler;
  readonly payments: WebhookPayments;
  /** The versions in which bodies were asked for. */
  readonly versions: ApiVersion[] = [];
  private readonly projected = new Set<string>();
  private commands = 0;

  /** The body of a payment is made up by default, and only its history stands in the store. */
  constructor(
    snapshot: PaymentSnapshot = paymentAsOf,
    readonly store = new MemoryEventStore(),
    progress = COMPLETE_INDEX,
  ) {
    this.readModels = new StoredReadModels(this.documents, store, this.clock);
    this.writes = new WritePath(store, this.clock, (_, history) => this.project(history));
    const sender: WebhookSender = {
      send: async request => {
        this.sent.push(request);
        return this.answer(request);
      },
    };
    const asOf: PaymentSnapshot = (history, apiVersion) => {
      if (apiVersion) this.versions.push(apiVersion);
      return snapshot(history, apiVersion);
    };
    const { writes, readModels, documents, clock, entropy, log } = this;
    const commands = new SystemCommands(writes, clock, entropy);
    const engines = { store, documents, readModels, progress };
    const core = { config: CONFIG, writes, commands, ...engines, secretBox, clock, entropy, log };
    const { scheduling, delivery, deliveryWrites, dispatcher, payments } = composeWebhooks(
      { ...core, isAlone: false },
      sender,
      asOf,
    );
    this.scheduling = scheduling;
    this.delivery = delivery;
    this.deliveryWrites = deliveryWrites;
    this.dispatcher = dispatcher;
    this.payments = payments;
    this.dispatcher.answerRings();
    this.redelivering = new RedeliverWebhookEventHandler(writes, deliveryWrites, dispatcher, readModels, store, clock);
  }

  context(merchantId = MERCHANT, mode: Mode = 'test'): MerchantContext {
    this.commands += 1;
    return {
      commandId: `command-${this.commands}`,
      actor: { role: 'merchant', type: 'api_key', id: 'key_1' },
      universe: mode,
      merchantId,
      startedAt: this.clock.now(),
      now: this.clock.now(),
      requestId: null,
      correlationId: `request-${this.commands}`,
      causationId: null,
      ip: null,
    };
  }

  /** Answers the endpoint's id and its secret's text. */
  async endpoint(
    enabledEvents: readonly string[] = ['*'],
    context = this.context(),
    apiVersion: ApiVersion = '2026-11-01',
  ) {
    const id = await this.secrets.idOf('we', context);
    const secret = await this.secrets.issue(context);
    const url = `https://${id}.example/` as WebhookUrl;
    await this.writes.execute(
      webhookEndpoints,
      id,
      { type: 'create', url, description: null, enabledEvents, apiVersion, secret },
      context,
    );
    return { id, secret: await this.secrets.open(secret), url };
  }

  async setStatus(endpointId: string, status: 'enabled' | 'disabled'): Promise<void> {
    await this.writes.execute(webhookEndpoints, endpointId, { type: 'change', changes: { status } }, this.context());
  }

  async subscribe(endpointId: string, enabledEvents: readonly string[]): Promise<void> {
    const command = { type: 'change', changes: { enabledEvents } } as const;
    await this.writes.execute(webhookEndpoints, endpointId, command, this.context());
  }

  /** Appends to the payment's stream, and answers the new events as the log gives them. */
  async payment(...events: readonly PaymentIntentEvent[]): Promise<readonly RecordedEvent[]> {
    const executed = await this.writes.execute(recorded, PAYMENT, events, this.context());
    const stream = streamName('test', 'payment_intent', PAYMENT);
    return this.store.readStream(stream, { from: executed.revision - executed.events.length + 1 });
  }

  /** Hands the events to the group `webhooks`, and answers the types that were scheduled or withheld. */
  async schedule(events: readonly RecordedEvent[]): Promise<void> {
    for (const event of events) await this.scheduling.handle({ event, retries: 0 });
  }

  /** Asks for an attempt by hand, of which no process is told. */
  async request(source: RecordedEvent, endpointId: string): Promise<void> {
    const id = deliveryId(webhookEventId(source), endpointId);
    const { state } = await this.writes.load(webhookDeliveries, 'test', id);
    if (state.status === 'none') throw new Error(`${id} is not open`);
    const command = { type: 'request_redelivery', opening: 'schedule', facts: state.facts } as const;
    await this.deliveryWrites.execute(id, command, this.context());
  }

  async history(source: RecordedEvent, endpointId: string) {
    const id = deliveryId(webhookEventId(source), endpointId);
    return (await this.writes.load(webhookDeliveries, 'test', id)).history;
  }

  async types(source: RecordedEvent, endpointId: string): Promise<readonly string[]> {
    return (await this.history(source, endpointId)).map(({ type }) => type);
  }

  /** One payment that was just created and scheduled for a new endpoint. */
  async scheduled() {
    const endpoint = await this.endpoint();
    const [source] = await this.payment(PAYMENT_CREATED);
    await this.schedule([source as RecordedEvent]);
    const id = deliveryId(webhookEventId(source as RecordedEvent), endpoint.id);
    return { endpoint, source: source as RecordedEvent, deliveryId: id };
  }

  /** Does the projection runner's work at once: each event once, in the order of the log. */
  private async project(history: readonly RecordedEvent[]): Promise<void> {
    for (const event of history.filter(({ id }) => !this.projected.has(id))) {
      this.projected.add(event.id);
      const positioned = { ...event, position: this.projected.size as LogPosition };
      for (const projection of PROJECTIONS) {
        const [key] = projection.on[event.type] ? documentIds(projection, event) : [];
        if (key === undefined) continue;
        const collection = await this.documents.open({ name: projection.name, indexes: projection.indexes });
        const before = await collection.get(key);
        for (const { id, version, body } of applyEvents(projection, [positioned], () => before).values()) {
          if (body !== null) await collection.put({ id, version, body });
          else await collection.deleteUpTo(id, version);
        }
      }
    }
  }
}

export const PAYMENT_CREATED: PaymentIntentEvent = {
  type: 'PaymentIntentCreated',
  data: termsOf({ metadata: { order: '42' } }),
};

export const paymentAsOf: PaymentSnapshot = history => {
  const [first] = history;
  if (!first) return null;
  const state = fold(paymentIntents, history as readonly RecordedEvent<PaymentIntentEvent>[]);
  const id = first.stream.slice(streamName('test', 'payment_intent', '').length);
  return { status: state.status, resource: { id, object: 'payment_intent', status: state.status } };
};
