import type { RecordedEvent } from '../../../src/kernel/event';
import { byStream } from '../history';
import type { ReceivedWebhook } from '../outside';
import type { Shop } from '../shops';
import { statusAfter } from './payment-checks';

/** The service's own promise: so many attempts, then it is the merchant's to ask. */
const ATTEMPTS = 8;
/** No type tells of a payment that waits for its payer. */
const SILENT_STATUS = 'awaiting_payment';

/** I7: each transition of a payment ends, at each endpoint of its merchant, in a 2xx, in eight attempts, or in a disabled endpoint. */
export function everyEventIsDelivered(
  shops: readonly Shop[],
  received: readonly ReceivedWebhook[],
  events: readonly RecordedEvent[],
): string[] {
  const deliveries = [...byStream(events, 'webhook_delivery').values()];
  const disabled = new Set(
    events.filter(({ type }) => type === 'WebhookEndpointDisabled').map(({ stream }) => stream.slice(5)),
  );
  const found: string[] = [];
  for (const [stream, history] of byStream(events, 'payment_intent')) {
    const shop = shops.find(({ merchantId }) => merchantId === history[0]?.metadata.merchant_id) as Shop;
    for (const [revision, type] of transitions(history)) {
      for (const { id, url } of shop.endpoints) {
        const own = deliveries.filter(([opening]) => {
          const { payment_intent: payment, payment_revision: at } = (opening as RecordedEvent).data;
          return stream.endsWith(String(payment)) && at === revision && opening?.stream.endsWith(id);
        });
        const where = `I7: ${stream} #${revision} ${type} at ${id}`;
        const [delivery] = own;
        if (own.length !== 1 || !delivery) found.push(`${where} has ${own.length} deliveries`);
        else found.push(...toldAsItWas(history.slice(0, revision + 1), delivery, received, where));
        if (delivery)
          found.push(...endOf(delivery, type, url, received, disabled.has(`webhook_endpoint-${id}`), where));
      }
    }
  }
  return found;
}

/** Revision and type of each event that a receiver is told. */
function transitions(history: readonly RecordedEvent[]): readonly (readonly [number, string])[] {
  return history.flatMap((_, revision) => {
    const [before, after] = [statusAfter(history.slice(0, revision)), statusAfter(history.slice(0, revision + 1))];
    return before === after || after === SILENT_STATUS ? [] : [[revision, `payment.${after}`] as const];
  });
}

/** Every body tells the payment as of its event, however late it is sent. */
function toldAsItWas(
  history: readonly RecordedEvent[],
  delivery: readonly RecordedEvent[],
  received: readonly ReceivedWebhook[],
  where: string,
): string[] {
  const expected = { status: statusAfter(history), amount: receivedAmount(history) };
  return received
    .filter(({ id }) => id === eventIdOf(delivery))
    .filter(({ status, receivedAmount: amount }) => status !== expected.status || amount !== expected.amount)
    .map(({ status, receivedAmount: amount }) => {
      return `${where} told ${status}, ${amount}; it was ${expected.status}, ${expected.amount}`;
    });
}

/** As the newest of its events has it that says so; nothing before. */
function receivedAmount(history: readonly RecordedEvent[]): string {
  const last = history.findLast(({ data }) => 'received_minor_units' in data);
  return String(last?.data.received_minor_units ?? '0');
}

function eventIdOf([opening]: readonly RecordedEvent[]): string | undefined {
  return /webhook_delivery-(evt_[0-9a-z]+)/.exec(opening?.stream ?? '')?.[1];
}

function endOf(
  delivery: readonly RecordedEvent[],
  type: string,
  url: string,
  received: readonly ReceivedWebhook[],
  isDisabled: boolean,
  where: string,
): string[] {
  const eventId = eventIdOf(delivery);
  const taken = received.filter(webhook => webhook.id === eventId && webhook.url === url && webhook.statusCode === 200);
  const wrong = taken.find(webhook => webhook.type !== type);
  const isDelivered = delivery.some(event => event.type === 'DeliverySucceeded');
  const failed = delivery.filter(event => event.type === 'DeliveryAttemptFailed').length;
  return [
    ...(wrong ? [`${where} reached its receiver as ${wrong.type}`] : []),
    ...(isDelivered && taken.length === 0 ? [`${where} is called delivered, and no receiver took it`] : []),
    ...(isDelivered || failed >= ATTEMPTS || isDisabled ? [] : [`${where} ends after ${failed} attempts`]),
  ];
}
