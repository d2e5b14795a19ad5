import type { RecordedEvent } from '../../../src/kernel/event';
import { byStream, openStreams } from '../history';
import type { ReceivedWebhook } from '../outside';
import type { Shop } from '../shops';
import { TOKENS, type TokenId } from '../../../src/vocabulary/tokens';
import { statusAfter } from './payment-checks';

/** The service's own promise: so many attempts, then it is the merchant's to ask. */
const ATTEMPTS = 8;
/** No type tells of a payment that waits for its payer. */
const SILENT_STATUS = 'awaiting_payment';
const IN_REVIEW: readonly string[] = ['underpaid', 'paid_late'];
/** The payment's state before these decides what is told, if anything. */
const TOLD_BY_STATE = ['TransferDetected', 'PaidLate', 'HoldPlaced', 'HoldReleased', 'HoldRejected'];
/** Events from which on a transfer counts. */
const COUNTING = ['DepthReached', 'RemainderCredited', 'PaidLate'];

type Delivery = readonly RecordedEvent[];

/**
 * I7: each transition of a payment goes to each endpoint of its merchant that asked for it and was enabled as it came
 * about. There the delivery ends in a 2xx or in eight attempts. No delivery is sent to an endpoint that was disabled
 * then, and no other endpoint hears of the transition. No event is deferred in the end. A transition of TOLD_BY_STATE
 * that no endpoint asked for is recorded as unheard, once. No other one is.
 */
export function everyEventIsDelivered(
  shops: readonly Shop[],
  received: readonly ReceivedWebhook[],
  events: readonly RecordedEvent[],
): string[] {
  const deliveries = new Map<string, Delivery[]>();
  for (const [stream, delivery] of byStream(events, 'webhook_delivery')) {
    const key = `${transitionOf(delivery)} ${stream.split(':').at(-1)}`;
    deliveries.set(key, [...(deliveries.get(key) ?? []), delivery]);
  }
  const unheard = new Map<string, readonly RecordedEvent[]>();
  for (const records of byStream(events, 'unheard_webhook').values()) {
    const transition = transitionOf(records);
    unheard.set(transition, [...(unheard.get(transition) ?? []), ...records]);
  }
  const endpoints = byStream(events, 'webhook_endpoint');
  const found = openStreams(events, 'deferred_webhook', 'WebhookDeferred').map(each => `I7: ${each} waits in the end`);
  for (const [stream, history] of byStream(events, 'payment_intent')) {
    const shop = shops.find(({ merchantId }) => merchantId === history[0]?.metadata.merchant_id) as Shop;
    for (const [revision, type] of transitions(history)) {
      const { position } = history[revision] as RecordedEvent;
      const transition = `${stream.slice(stream.indexOf('-') + 1)} ${revision}`;
      let isHeard = false;
      for (const { id, url } of shop.endpoints) {
        const own = deliveries.get(`${transition} ${id}`) ?? [];
        const where = `I7: ${stream} #${revision} ${type} at ${id}`;
        const [wanted, opening] = wantedAt(endpoints.get(`webhook_endpoint-${id}`) ?? [], position, type);
        const [delivery] = own;
        isHeard ||= wanted;
        if (own.length !== (wanted ? 1 : 0)) found.push(`${where} has ${own.length} deliveries`);
        if (!delivery || !wanted) continue;
        if (delivery[0]?.type !== opening) found.push(`${where} began with ${delivery[0]?.type}, not ${opening}`);
        found.push(...toldAsItWas(history.slice(0, revision + 1), delivery, received, where));
        found.push(...endOf(delivery, type, url, received, opening === 'DeliveryWithheld', where));
      }
      const records = unheard.get(transition) ?? [];
      const isRecorded = !isHeard && TOLD_BY_STATE.includes((history[revision] as RecordedEvent).type);
      const isRight = records.length === (isRecorded ? 1 : 0) && records.every(({ data }) => data.event_type === type);
      if (!isRight) found.push(`I7: ${stream} #${revision} ${type} is unheard ${records.length} times`);
      unheard.delete(transition);
    }
  }
  for (const transition of unheard.keys()) found.push(`I7: ${transition} is unheard, and is no transition`);
  return found;
}

/** Payment and revision, of which a delivery's first event tells, or the record that there is none. */
function transitionOf([first]: readonly RecordedEvent[]): string {
  const { payment_intent: payment, payment_revision: revision } = (first as RecordedEvent).data;
  return `${String(payment)} ${String(revision)}`;
}

/**
 * Whether an endpoint, as it was just before a position of the log, asks for a type. Answers the beginning of its
 * delivery then.
 */
function wantedAt(history: readonly RecordedEvent[], position: number, type: string): readonly [boolean, string] {
  let types: readonly string[] = [];
  let isEnabled = false;
  for (const { type: change, data, position: at } of history) {
    if (at > position) break;
    if ('enabled_events' in data) types = data.enabled_events as readonly string[];
    if (change === 'WebhookEndpointCreated' || change === 'WebhookEndpointEnabled') isEnabled = true;
    if (change === 'WebhookEndpointDisabled') isEnabled = false;
  }
  return [types.includes('*') || types.includes(type), isEnabled ? 'DeliveryScheduled' : 'DeliveryWithheld'];
}

/** Revision and type of each event that a receiver is told: a new state, and a change of the hold. */
export function transitions(history: readonly RecordedEvent[]): readonly (readonly [number, string])[] {
  return history.flatMap(({ type }, revision) => {
    const [before, after] = [statusAfter(history.slice(0, revision)), statusAfter(history.slice(0, revision + 1))];
    const isTold = (before !== after && after !== SILENT_STATUS) || type.startsWith('Hold');
    return isTold ? [[revision, `payment.${after}`] as const] : [];
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

/**
 * The amount that the newest of its events tells; nothing before. A rejection tells of all that stands. In review the
 * amount follows the chain: a transfer that was counted and is gone counts no more.
 */
function receivedAmount(history: readonly RecordedEvent[]): string {
  const told = history.findLastIndex(({ data }) => 'received_minor_units' in data);
  const isLost = IN_REVIEW.includes(statusAfter(history)) && history.slice(told).some(isDrop);
  if (isLost) return standingAmount(history, counted(history));
  if (told >= 0) return String(history[told]?.data.received_minor_units);
  return history.at(-1)?.type === 'HoldRejected' ? standingAmount(history) : '0';
}

function isDrop({ type }: RecordedEvent): boolean {
  return type === 'TransferDropped';
}

/** The transfers that count. A transfer that is seen in another block counts only once it is deep there. */
function counted(history: readonly RecordedEvent[]): ReadonlySet<string> {
  const deep = new Set<string>();
  for (const { type, data } of history) {
    const id = String(data.transfer_id);
    if (COUNTING.includes(type)) deep.add(id);
    else if (type === 'TransferDetected') deep.delete(id);
  }
  return deep;
}

/** `among`: the transfers that may count; all of them unless told. */
function standingAmount(history: readonly RecordedEvent[], among: ReadonlySet<string> | null = null): string {
  const standing = new Map<string, bigint>();
  const facts: Record<string, unknown> = {};
  for (const { type, data } of history) {
    if (type === 'TransferDetected') standing.set(String(data.transfer_id), BigInt(String(data.value_base_units)));
    if (type === 'TransferDropped') standing.delete(String(data.transfer_id));
    if (type === 'PaymentIntentCreated' || type === 'MethodSelected') Object.assign(facts, data);
  }
  const [amount, due] = [BigInt(String(facts.amount_minor_units)), BigInt(String(facts.due_base_units))];
  const counting = [...standing].filter(([id]) => among?.has(id) ?? true);
  const received = counting.reduce((sum, [, value]) => sum + value, 0n);
  const off = received > due ? received - due : due - received;
  const tolerance = TOKENS[facts.token_id as TokenId].attributionToleranceBaseUnits;
  return String(off <= tolerance ? amount : (amount * received) / due);
}

function eventIdOf([opening]: readonly RecordedEvent[]): string | undefined {
  return /webhook_delivery-(evt_[0-9a-z]+)/.exec(opening?.stream ?? '')?.[1];
}

function endOf(
  delivery: readonly RecordedEvent[],
  type: string,
  url: string,
  received: readonly ReceivedWebhook[],
  isWithheld: boolean,
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
    ...(isWithheld && taken.length > 0 ? [`${where} reached its receiver, and was to be withheld`] : []),
    ...(isDelivered || failed >= ATTEMPTS || isWithheld ? [] : [`${where} ends after ${failed} attempts`]),
  ];
}
