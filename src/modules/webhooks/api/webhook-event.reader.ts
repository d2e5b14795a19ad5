import { Inject, Injectable } from '@nestjs/common';
import type { ApiVersion } from '../../../vocabulary/api-versions';
import { refuse } from '../../../vocabulary/errors';
import { streamName } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import { invariant } from '../../../kernel/invariant';
import type { Document } from '../../../kernel/ports/documents';
import type { EventStore } from '../../../kernel/ports/event-store';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { getOwn, listPage, parsePage } from '../../../platform/http/lists';
import { deliveryRow, type DeliveryRow } from '../delivery-row';
import { PAYMENT_SNAPSHOT, type PaymentSnapshot } from '../payment-snapshot';
import { deliveryId, webhookDeliveries } from '../webhook-delivery.decider';
import { webhookEndpointsReadModel } from '../webhook-endpoints.read-model';
import { envelope } from '../webhook-event';
import {
  indexOf,
  WEBHOOK_EVENT_FILTERS,
  webhookEventsReadModel,
  type WebhookEventDocument,
} from '../webhook-events.read-model';
import { isWebhookType } from '../webhook-types';
import type { WebhookEventResource } from './webhook-events.contract';

type Reader = { readonly merchantId: string; readonly mode: Mode; readonly apiVersion: ApiVersion };

/** More than MAX_ENDPOINTS, which creations at the same moment may pass. */
const ENDPOINTS_READ = 100;

@Injectable()
export class WebhookEventReader {
  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(PORTS.eventStore) private readonly store: EventStore,
    @Inject(PAYMENT_SNAPSHOT) private readonly paymentAsOf: PaymentSnapshot,
  ) {}

  /**
   * The state of each endpoint is read from its delivery's own stream, so a redelivery that was answered shows. The
   * redelivery may go to an endpoint that had no part in the event before: `redelivered`, or another one of the
   * merchant.
   */
  async get({ merchantId, mode, apiVersion }: Reader, id: string, redelivered: string | null = null) {
    const named = { prefix: 'evt', id, notFound: 'resource_missing' } as const;
    const found = await getOwn(this.readModels, webhookEventsReadModel, { merchantId, mode }, named);
    const known = found.body.deliveries.map(({ endpoint }) => endpoint);
    const asked = redelivered === null ? [] : [redelivered];
    const endpoints = new Set([...known, ...asked, ...(await this.endpointsOf(merchantId, mode))]);
    const rows = await Promise.all([...endpoints].map(endpoint => this.deliveryOf(mode, id, endpoint)));
    const event = { ...found, body: { ...found.body, deliveries: rows.filter(row => row !== null) } };
    return this.present(event, apiVersion);
  }

  list({ merchantId, mode, apiVersion }: Reader, query: Record<string, unknown>) {
    const page = parsePage(query, WEBHOOK_EVENT_FILTERS);
    const { delivered, type, payment_intent } = page.filters;
    if (delivered !== undefined && delivered !== 'true' && delivered !== 'false') throw invalidFilter('delivered');
    if (type !== undefined && !isWebhookType(type)) throw invalidFilter('type');
    const filters = WEBHOOK_EVENT_FILTERS.filter(filter => page.filters[filter] !== undefined);
    const equals = {
      merchant_id: merchantId,
      mode,
      ...(payment_intent !== undefined && { payment_intent }),
      ...(delivered !== undefined && { delivered: delivered === 'true' }),
      ...(type !== undefined && { type }),
    };
    const source = { index: indexOf(filters), equals, order: ['created', 'id'] };
    return listPage(this.readModels, webhookEventsReadModel, source, page, {
      url: '/v1/webhook_events',
      present: event => this.present(event, apiVersion),
    });
  }

  private async endpointsOf(merchantId: string, mode: Mode): Promise<readonly string[]> {
    const equals = { merchant_id: merchantId, mode };
    const query = { index: 'by_merchant', equals, limit: ENDPOINTS_READ } as const;
    return (await this.readModels.list(webhookEndpointsReadModel, query)).map(endpoint => endpoint.id);
  }

  private async deliveryOf(mode: Mode, eventId: string, endpoint: string): Promise<DeliveryRow | null> {
    const { history } = await this.writes.load(webhookDeliveries, mode, deliveryId(eventId, endpoint));
    return history.reduce<DeliveryRow | null>((row, event) => deliveryRow(row, event), null);
  }

  /**
   * `data` is the payment as it was at that event, by the payment's stream. Its shape is the newest one, because the
   * answer as a whole is converted back to the caller's version.
   */
  private async present(
    { id, body }: Document<WebhookEventDocument>,
    apiVersion: ApiVersion,
  ): Promise<WebhookEventResource> {
    const { mode, payment_intent, payment_revision, type, created, deliveries } = body;
    const stream = streamName(mode as Mode, 'payment_intent', payment_intent);
    const payment = this.paymentAsOf(await this.store.readStream(stream, { limit: payment_revision + 1 }));
    invariant(payment, `${stream} is empty, and ${id} tells of it`);
    const facts = { event_type: type, payment_intent, payment_revision, created };
    return { ...envelope(id, facts, apiVersion, payment.resource), object: 'webhook_event', deliveries };
  }
}

function invalidFilter(param: string) {
  return refuse('invalid_filter', { param });
}
