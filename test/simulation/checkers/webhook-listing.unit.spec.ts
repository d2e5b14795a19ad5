import type { RecordedEvent } from '../../../src/kernel/event';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import type { JsonObject } from '../../../src/vocabulary/json';
import { everyTransitionIsListed } from './webhook-listing';

const ENDPOINT = 'we_00000000000000000000000001';
const STREAM = 'payment_intent-pi_1';

let position = 0;

function record(stream: string, revision: number, type: string, data: JsonObject = {}): RecordedEvent {
  position += 1;
  const metadata = { merchant_id: 'mch_1', mode: 'test', occurred_at: '2026-11-01T12:00:00.000Z' };
  const event = { type, data, id: `${stream}@${revision}`, stream: `test.${stream}`, revision, position, metadata };
  return event as unknown as RecordedEvent;
}

const PAYMENT = [
  record(STREAM, 0, 'PaymentIntentCreated'),
  record(STREAM, 1, 'MethodSelected'),
  record(STREAM, 2, 'TransferDetected'),
  record(STREAM, 3, 'TransferDetected'),
  record(STREAM, 4, 'ConfirmationSeen'),
];
const ID = webhookEventId(PAYMENT[2] as RecordedEvent);

const told = (type: string, id = ID, revision = 2): RecordedEvent => {
  const data = { event_type: type, payment_intent: 'pi_1', payment_revision: revision, created: 7 };
  return record(`webhook_delivery-${id}:${ENDPOINT}`, 0, 'DeliveryScheduled', data);
};
const unheard = (id = ID): RecordedEvent => {
  const data = { event_type: 'payment.detected', payment_intent: 'pi_1', payment_revision: 2, created: 7 };
  return record(`unheard_webhook-${id}`, 0, 'WebhookUnheard', data);
};
const OTHER = webhookEventId(PAYMENT[3] as RecordedEvent);

it.each([
  ['heard', [told('payment.detected')]],
  ['unheard', [unheard()]],
  ['unheard, and delivered by hand later', [unheard(), told('payment.detected')]],
])('finds nothing where the event that its state tells is %s', (_, more) => {
  expect(everyTransitionIsListed([...PAYMENT, ...more])).toStrictEqual([]);
});

it.each<[string, readonly RecordedEvent[], string]>([
  ['is neither heard nor recorded', [], `${STREAM} #2 payment.detected is listed as nothing`],
  [
    'has deliveries under two ids',
    [told('payment.detected'), told('payment.detected', OTHER)],
    `${STREAM} #2 payment.detected is listed as payment.detected,payment.detected`,
  ],
  ['is told as another one', [told('payment.failed')], `${STREAM} #2 payment.detected is listed as payment.failed`],
  ['is none', [unheard(), told('payment.detected', OTHER, 3)], `pi_1 3 is listed as ${OTHER}, and is no transition`],
])('finds a transition that %s', (_, more, found) => {
  expect(everyTransitionIsListed([...PAYMENT, ...more])).toStrictEqual([found]);
});
