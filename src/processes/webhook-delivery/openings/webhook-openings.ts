import { parseIsoTime } from '../../../kernel/clock';
import type { RecordedEvent } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import type { MerchantClocks } from '../../../kernel/merchant-clocks';
import type { EventStore } from '../../../kernel/ports/event-store';
import type { SystemCommands } from '../../../kernel/system-commands';
import { unwritten } from '../../../kernel/write-path';
import { ALWAYS_TOLD } from '../../../modules/webhooks/told-types';
import { unheardWebhooks } from '../../../modules/webhooks/unheard-webhook.decider';
import { deliveryId, webhookDeliveries } from '../../../modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts } from '../../../modules/webhooks/webhook-delivery.events';
import { webhookEventId } from '../../../modules/webhooks/webhook-event';
import { isSubscribed } from '../../../modules/webhooks/webhook-types';
import { EndpointIndex, type EndpointIndexParts } from './endpoint-index';
import { EndpointTimelines } from './endpoint-timelines';

/** Deliveries of one event that are opened at once. */
const OPENED_AT_ONCE = 4;

export type WebhookOpeningsParts = EndpointIndexParts & {
  readonly commands: SystemCommands;
  readonly store: EventStore;
  readonly clock: MerchantClocks;
};

/** A payment's event that endpoints are told of. */
export type Telling = { readonly mode: Mode; readonly source: RecordedEvent; readonly facts: DeliveryFacts };

/**
 * Opens a delivery for each endpoint that wanted the event as it arose, whatever the endpoint's state now. The account
 * lists each event, so one that none wanted is recorded as unheard, unless its type alone says that it is listed. A
 * second run finds all of that and does nothing.
 */
export class WebhookOpenings {
  readonly endpoints: EndpointIndex;
  private readonly commands: SystemCommands;
  private readonly timelines: EndpointTimelines;

  constructor(private readonly parts: WebhookOpeningsParts) {
    this.commands = parts.commands.of('webhooks');
    this.endpoints = new EndpointIndex(parts);
    this.timelines = new EndpointTimelines(parts.store);
  }

  /** One endpoint's fault leaves the others their deliveries; the first fault is thrown. */
  async open(telling: Telling, endpointIds: readonly string[]): Promise<void> {
    const isHeard = endpointIds.length > 0 && (await this.openAll(telling, endpointIds));
    if (!isHeard && !ALWAYS_TOLD.has(telling.source.type)) await this.recordUnheard(telling);
  }

  /** True where an endpoint wanted the event. */
  private async openAll(telling: Telling, endpointIds: readonly string[]): Promise<boolean> {
    const { mode, source } = telling;
    const now = await this.parts.clock.merchantNow(mode, source.metadata.merchant_id);
    const waiting = [...endpointIds];
    const faults: unknown[] = [];
    const wanted: boolean[] = [];
    const openNext = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        await this.openFor(id, telling, now).then(
          isOpen => wanted.push(isOpen),
          (error: unknown) => faults.push(error),
        );
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openNext));
    if (faults.length > 0) throw faults[0];
    return wanted.includes(true);
  }

  /** The fact has the time of the payment's event, from which it follows: no clock is asked. */
  private async recordUnheard({ mode, source, facts }: Telling): Promise<void> {
    const { merchant_id: merchantId, occurred_at: arose } = source.metadata;
    const command = { type: 'record', facts } as const;
    await this.commands.execute(
      unheardWebhooks,
      webhookEventId(source),
      () => ({ command, actor: 'sweeper', merchantId }),
      { mode, cause: source, nowMs: parseIsoTime(arose), known: unwritten(unheardWebhooks) },
    );
  }

  /** False where the endpoint did not want the event. */
  private async openFor(endpointId: string, { mode, source, facts }: Telling, now: number): Promise<boolean> {
    const endpoint = await this.timelines.at(source, mode, endpointId);
    if (!endpoint || !isSubscribed(endpoint.enabledEvents, facts.event_type)) return false;
    const command = { type: endpoint.isEnabled ? 'schedule' : 'withhold', facts } as const;
    const merchantId = source.metadata.merchant_id;
    await this.commands.execute(
      webhookDeliveries,
      deliveryId(webhookEventId(source), endpointId),
      () => ({ command, actor: 'sweeper', merchantId }),
      { mode, cause: source, nowMs: now },
    );
    return true;
  }
}
