import { streamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { Collection, Documents } from '../../kernel/ports/documents';
import type { EventStore } from '../../kernel/ports/event-store';
import type { JsonObject } from '../../vocabulary/json';
import type { Mode } from '../../vocabulary/modes';
import type { PaymentSnapshot } from './payment-snapshot';

const WEBHOOK_PAYMENTS = { name: 'webhook_payments', indexes: {} } as const;

type WebhookPaymentDocument = { readonly shape: string; readonly resource: JsonObject };

/** A webhook event, and the part of the payment's stream that the event tells of. */
type Told = { readonly id: string; readonly payment_intent: string; readonly payment_revision: number };

/**
 * The payment of each webhook event, as of that event and in the newest shape. A stream up to a revision never changes,
 * so each payment is folded once and kept. The documents follow from the log: a missing one is made anew.
 */
export class WebhookPayments {
  private opened: Collection<WebhookPaymentDocument> | null = null;

  /** `shape` names the API's newest shape of a payment: one that was kept in another shape is folded anew. */
  constructor(
    private readonly documents: Documents,
    private readonly store: EventStore,
    private readonly paymentAsOf: PaymentSnapshot,
    private readonly shape: string,
  ) {}

  /** `history`: the payment's stream up to the event. */
  async keep(eventId: string, history: readonly RecordedEvent[]): Promise<void> {
    await (await this.open()).insert(this.documentOf(eventId, history));
  }

  /**
   * By the event's id. A stream is read only where the payment of one of its events is not kept: once, up to the newest
   * such event. One stream is read after the other, so that one alone is held in memory.
   */
  async of(mode: Mode, events: readonly Told[]): Promise<ReadonlyMap<string, JsonObject>> {
    const collection = await this.open();
    const kept = await collection.getAll(events.map(({ id }) => id));
    const fitting = kept.filter(({ body }) => body.shape === this.shape);
    const resources = new Map(fitting.map(({ id, body }) => [id, body.resource]));
    const missing = events.filter(({ id }) => !resources.has(id));
    for (const payment of new Set(missing.map(({ payment_intent }) => payment_intent))) {
      const told = missing.filter(({ payment_intent }) => payment_intent === payment);
      const lengths = told.map(({ payment_revision }) => payment_revision + 1);
      const stream = streamName(mode, 'payment_intent', payment);
      const history = await this.store.readStream(stream, { limit: Math.max(...lengths) });
      for (const { id, payment_revision } of told) {
        const document = this.documentOf(id, history.slice(0, payment_revision + 1));
        await collection.put(document);
        resources.set(id, document.body.resource);
      }
    }
    return resources;
  }

  private documentOf(id: string, history: readonly RecordedEvent[]) {
    const payment = this.paymentAsOf(history);
    invariant(payment, `the payment's stream is empty, and ${id} tells of it`);
    return { id, version: 1, body: { shape: this.shape, resource: payment.resource } };
  }

  private async open(): Promise<Collection<WebhookPaymentDocument>> {
    this.opened ??= await this.documents.open<WebhookPaymentDocument>(WEBHOOK_PAYMENTS);
    return this.opened;
  }
}
