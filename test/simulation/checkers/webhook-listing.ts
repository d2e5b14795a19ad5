import { parseStreamName, type RecordedEvent } from '../../../src/kernel/event';
import { applyEvents, type Projection } from '../../../src/kernel/projection';
import type { WebhookEventDocument } from '../../../src/modules/webhooks/webhook-events.read-model';
import { webhookEventsProjection } from '../../../projections/webhook-events.projection';
import { byStream } from '../history';
import { transitions } from './webhook-checks';

type Listed = { readonly id: string; readonly type: string };

/**
 * Each transition of a payment is listed once, with its type, whether or not endpoints heard of it, and nothing else is
 * listed. Its deliveries, and the record that there is none, have its id. The documents themselves are compared with
 * these ones by readModelsAsRebuilt.
 */
export function everyTransitionIsListed(events: readonly RecordedEvent[]): string[] {
  const listed = listedByTransition(events);
  const found: string[] = [];
  for (const [stream, history] of byStream(events, 'payment_intent')) {
    for (const [revision, type] of transitions(history)) {
      const transition = `${stream.slice(stream.indexOf('-') + 1)} ${revision}`;
      const types = (listed.get(transition) ?? []).map(each => each.type);
      if (types.join() !== type) found.push(`${stream} #${revision} ${type} is listed as ${types.join() || 'nothing'}`);
      listed.delete(transition);
    }
  }
  for (const [transition, rows] of listed) {
    found.push(...rows.map(({ id }) => `${transition} is listed as ${id}, and is no transition`));
  }
  return found;
}

function listedByTransition(events: readonly RecordedEvent[]): Map<string, Listed[]> {
  const { categories } = webhookEventsProjection;
  const own = events.filter(({ stream }) => categories.includes(parseStreamName(stream).category));
  const projection = webhookEventsProjection as Projection<WebhookEventDocument>;
  const listed = new Map<string, Listed[]>();
  for (const { id, body } of applyEvents(projection, own, () => null).values()) {
    if (body === null) continue;
    const transition = `${body.payment_intent} ${body.payment_revision}`;
    listed.set(transition, [...(listed.get(transition) ?? []), { id, type: body.type }]);
  }
  return listed;
}
