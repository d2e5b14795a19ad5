import { deliveriesProjection } from '../../projections/deliveries.projection';
import { namingsProjection } from '../../projections/namings.projection';
import { paymentIntentsProjection } from '../../projections/payment-intents.projection';
import { readChanges, writeChanges } from '../../projections/runner/document-changes';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { StoredReadModels } from '../../projections/runner/read-models';
import { searchKeysProjection } from '../../projections/search-keys.projection';
import { unmatchedTransfersProjection } from '../../projections/unmatched-transfers.projection';
import { webhookEndpointsProjection } from '../../projections/webhook-endpoints.projection';
import { webhookEventsProjection } from '../../projections/webhook-events.projection';
import { parseStreamName, type DomainEvent } from '../../src/kernel/event';
import type { Projection } from '../../src/kernel/projection';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { timedId } from '../../src/vocabulary/ids';
import type { Mode } from '../../src/vocabulary/modes';
import { ManualClock } from './manual-clock';
import { MemoryDocuments } from './memory-documents';
import { MemoryEventStore } from './memory-event-store';
import { recordedEvents } from './recorded-events';
import { tellEvents, type TellFacts } from './tell-events';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const MERCHANT = 'mch_00000000000000000000000000';
export const STRANGER = 'mch_00000000000000000000000009';

const PROJECTIONS = [
  paymentIntentsProjection,
  searchKeysProjection,
  namingsProjection,
  unmatchedTransfersProjection,
  webhookEndpointsProjection,
  webhookEventsProjection,
  deliveriesProjection,
] as readonly Projection[];

type Facts = Partial<TellFacts> & { readonly mode?: Mode };

/** The id of the payment that was created at that moment. */
function paymentAt(atMs: number, place = 0): string {
  return timedId('pi', atMs, Buffer.alloc(10, place));
}

/** Histories as tests tell them, in a log in memory, with the read models that a merchant's pages ask. */
export class ToldPayments {
  readonly store = new MemoryEventStore();
  readonly documents = new MemoryDocuments();
  readonly clock = new ManualClock(NOON);
  readonly readModels = new StoredReadModels(this.documents, this.store, this.clock);

  /** A payment that was created at its moment; answers its id. */
  async payment(events: readonly PaymentIntentEvent[], facts: Facts & { readonly place?: number } = {}) {
    const { atMs = NOON, mode = 'test', place = 0 } = facts;
    const id = paymentAt(atMs, place);
    await this.tell(`${mode}.payment_intent-${id}`, events, facts);
    return id;
  }

  async tell(stream: string, events: readonly DomainEvent[], facts: Facts = {}): Promise<void> {
    await tellEvents(this.store, stream, events, { merchant: MERCHANT, atMs: NOON, ...facts });
  }

  /** Brings the read models up to the log's end. */
  async project(): Promise<void> {
    for (const projection of PROJECTIONS) {
      const collection = await this.documents.open(collectionSpec(projection));
      for (const category of projection.categories) {
        const events = await recordedEvents(this.store, category);
        for (const event of events.filter(({ stream }) => parseStreamName(stream).category === category))
          await writeChanges(collection, await readChanges(projection, collection, [event]));
      }
    }
  }
}
