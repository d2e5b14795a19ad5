import type { ApiVersion } from '../../../vocabulary/api-versions';
import type { JsonObject } from '../../../vocabulary/json';
import type { Mode } from '../../../vocabulary/modes';
import type { Document, ListQuery } from '../../../kernel/ports/documents';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { WritePath } from '../../../kernel/write-path';
import { filterOf, getOwn, listPage, parsePage, type Page } from '../../../platform/http/lists';
import { rowsThatPass, type RowTest } from '../../../platform/http/rows-that-pass';
import { deliveryRowOf, type DeliveryRow } from '../delivery-row';
import { listedEndpoints } from '../listed-endpoints';
import { deliveryId, webhookDeliveries } from '../webhook-delivery.decider';
import { envelope } from '../webhook-event';
import {
  indexOf,
  lookedUp,
  WEBHOOK_EVENT_FILTERS,
  webhookEventsReadModel,
  type WebhookEventDocument,
} from '../webhook-events.read-model';
import type { WebhookPayments } from '../webhook-payments';
import { WEBHOOK_TYPES } from '../webhook-types';
import type { WebhookEventResource } from './webhook-events.contract';

type Reader = { readonly merchantId: string; readonly mode: Mode; readonly apiVersion: ApiVersion };

type Found = Document<WebhookEventDocument>;
type Test = RowTest<WebhookEventDocument>;

export class WebhookEventReader {
  constructor(
    private readonly writes: WritePath,
    private readonly readModels: ReadModels,
    private readonly payments: WebhookPayments,
  ) {}

  async get(reader: Reader, id: string) {
    return this.present(reader, await this.found(reader, id));
  }

  /** As `get`, for a caller who knows the endpoints that the event may have gone to since. */
  async getAmong(reader: Reader, id: string, others: readonly string[]) {
    return this.presentAmong(reader, await this.found(reader, id), others);
  }

  /** A redelivery may go to an endpoint that had no part in the event before: the one of `redelivered`, or another. */
  async present(reader: Reader, found: Found, redelivered: DeliveryRow | null = null) {
    const listed = await listedEndpoints(this.readModels, reader.merchantId, reader.mode);
    const others = listed.map(endpoint => endpoint.id);
    return this.presentAmong(reader, found, others, redelivered);
  }

  /** The rows come from documents alone. */
  async list({ merchantId, mode, apiVersion }: Reader, query: Record<string, unknown>) {
    const page = parsePage(query, WEBHOOK_EVENT_FILTERS);
    const { payment_intent } = page.filters;
    const delivered = filterOf(page, 'delivered', ['true', 'false']);
    const type = filterOf(page, 'type', WEBHOOK_TYPES);
    const asked = { payment_intent, delivered: delivered && delivered === 'true', type };
    const filters = WEBHOOK_EVENT_FILTERS.filter(filter => asked[filter] !== undefined);
    const names = lookedUp(filters);
    const equals = { merchant_id: merchantId, mode, ...Object.fromEntries(names.map(name => [name, asked[name]])) };
    const tests = filters
      .filter(filter => !names.includes(filter))
      .map(
        (name): Test =>
          event =>
            event[name] === asked[name],
      );
    return this.page({ mode, apiVersion }, { index: indexOf(names), equals, tests }, page);
  }

  /** The events with a delivery whose attempts are all made, redelivered since or not. */
  async listExhausted({ merchantId, mode, apiVersion }: Reader, query: Record<string, unknown>) {
    const equals = { merchant_id: merchantId, mode, exhausted: true };
    const page = { ...parsePage(query, []), filters: { exhausted: 'true' } };
    return this.page({ mode, apiVersion }, { index: 'by_exhausted', equals, tests: [] }, page);
  }

  private async page(
    { mode, apiVersion }: Omit<Reader, 'merchantId'>,
    { tests, ...source }: Pick<ListQuery, 'index' | 'equals'> & { readonly tests: readonly Test[] },
    page: Page,
  ) {
    const ordered = { ...source, order: ['created', 'id'] };
    const { readModels } = this;
    const passing = {
      get: readModels.get.bind(readModels),
      list: (_: unknown, query: ListQuery) => rowsThatPass(readModels, webhookEventsReadModel, query, tests),
    };
    const { data, ...list } = await listPage(passing, webhookEventsReadModel, ordered, page, {
      url: '/v1/webhook_events',
      present: event => event,
    });
    return { ...list, data: await this.presentAll(data, mode, apiVersion) };
  }

  private found({ merchantId, mode }: Reader, id: string): Promise<Found> {
    const named = { prefix: 'evt', id, notFound: 'resource_missing' } as const;
    return getOwn(this.readModels, webhookEventsReadModel, { merchantId, mode }, named);
  }

  /** The state of each endpoint is read from its delivery's own stream, so a redelivery that was answered shows. */
  private async presentAmong(
    { mode, apiVersion }: Reader,
    found: Found,
    others: readonly string[],
    redelivered: DeliveryRow | null = null,
  ) {
    const known = found.body.deliveries.map(({ endpoint }) => endpoint);
    const endpoints = new Set([...known, ...(redelivered ? [redelivered.endpoint] : []), ...others]);
    const rows = await Promise.all(
      [...endpoints].map(async endpoint =>
        endpoint === redelivered?.endpoint ? redelivered : this.deliveryOf(mode, found.id, endpoint),
      ),
    );
    const event = { ...found, body: { ...found.body, deliveries: rows.filter(row => row !== null) } };
    const [answer] = (await this.presentAll([event], mode, apiVersion)) as [WebhookEventResource];
    return answer;
  }

  private async deliveryOf(mode: Mode, eventId: string, endpoint: string): Promise<DeliveryRow | null> {
    const { history } = await this.writes.load(webhookDeliveries, mode, deliveryId(eventId, endpoint));
    return deliveryRowOf(history);
  }

  /**
   * `data` is the payment as it was at that event. Its shape is the newest one, because the answer as a whole is
   * converted back to the caller's version.
   */
  private async presentAll(
    events: readonly Document<WebhookEventDocument>[],
    mode: Mode,
    apiVersion: ApiVersion,
  ): Promise<readonly WebhookEventResource[]> {
    const told = events.map(({ id, body }) => ({ id, ...body }));
    const payments = await this.payments.of(mode, told);
    return told.map(({ id, type, payment_intent, payment_revision, created, deliveries }) => {
      const facts = { event_type: type, payment_intent, payment_revision, created };
      const body = envelope(id, facts, apiVersion, payments.get(id) as JsonObject);
      return { ...body, object: 'webhook_event', deliveries };
    });
  }
}
