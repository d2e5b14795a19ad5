import { paymentDocumentsAfter } from '../../../src/composition/payment-documents';
import { streamName, type Actor, type RecordedEvent } from '../../../src/kernel/event';
import type { RateObservation } from '../../../src/kernel/ports/rate-source';
import type { PaymentIntentEvent, Quote } from '../../../src/modules/payment-intents/payment-intent.events';
import {
  GetPaymentTimeline,
  type EventEntry,
  type Moment,
} from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import type { InferenceEvidence } from '../../../src/modules/transfers/inference-facts';
import { EVENTS_BESIDE, PaymentTimelines } from '../../../src/processes/payment-timeline/payment-timelines';
import { MERCHANT, NOON, STRANGER, ToldPayments } from '../../support/told-payments';
import * as h from '../../modules/payment-intents/histories';

const HASH = `0x${'ab'.repeat(32)}`;
const ENDPOINT = 'we_00000000000000000000000001';
const OWNER: Actor = { role: 'merchant', type: 'user', id: 'usr_00000000000000000000000001' };
const observation: RateObservation = {
  ...{ source: 'kraken', family: 'kraken', currency: 'EUR', rate: '1.08' },
  asset: 'USDC',
  observed_at: '2026-11-01T11:59:58.000Z',
};
const quote: Quote = { ...h.quote, observations: [observation], tolerance_bps: 50 };
const quoted: PaymentIntentEvent = { type: 'MethodSelected', data: quote };
const grounds: InferenceEvidence = {
  ...{ refusal: null, address: h.quote.address, payment_intent: null, due_base_units: '27000120' },
  ...{ value_base_units: '26000000', distance_base_units: '1000120', quoted_at: '2026-11-01T12:00:00.000Z' },
  ...{ quote_expires_at: h.EXPIRES_AT, block_time: '2026-11-01T12:05:00.000Z', clock_ahead_ms: 0 },
  ...{ block_hash: h.BLOCK_HASH, is_dedicated: false, index_position: '7', last_day_count: 2, last_month_count: 9 },
  others: [],
};

const told = new ToldPayments();
const timelines = new PaymentTimelines({
  ...{ readModels: told.readModels, store: told.store, documentsAfter: paymentDocumentsAfter },
  checkoutUrl: 'https://pay.example',
  headNumber: () => Promise.resolve(130),
});
let paid: string;
let eventId: string;
let inferred: string;

beforeAll(async () => {
  const [create, , ...rest] = h.HISTORIES.underpaid as [PaymentIntentEvent, PaymentIntentEvent];
  paid = await told.payment([create, quoted, ...rest]);
  await told.tell(streamName('test', 'payment_intent', paid), h.HISTORIES.confirmed.slice(-2), {
    ...{ atMs: NOON + 60_000, actor: OWNER },
  });
  inferred = await told.payment([h.created, quoted, h.inferred('tr_1', '26000000')], { place: 1 });
  const claim = { type: 'TransferClaimed', data: { payment_intent: inferred, evidence: grounds } };
  const seen = { token_id: 'usdc-base', from: h.PAYER, to: h.quote.address, value_base_units: '26000000' };
  const block = { block_number: 100, block_hash: h.BLOCK_HASH, block_time: '2026-11-01T12:05:00.000Z' };
  const first = { type: 'TransferSeen', data: { ...seen, ...block } };
  await told.tell(`test.transfer-base:${HASH}:0`, [first, claim]);
  const [settled] = await told.store.readStream(streamName('test', 'payment_intent', paid), { from: 6, limit: 1 });
  eventId = webhookEventId(settled as RecordedEvent);
  await webhook();
  await told.project();
});

/** One event of the paid payment, which its endpoint took at the second attempt. */
async function webhook(): Promise<void> {
  const facts = {
    event_type: 'payment.underpaid',
    payment_intent: paid,
    payment_revision: 6,
    created: NOON / 1_000 + 6,
  };
  const answer = { error: null, latency_ms: 84, response_excerpt: 'down' };
  const failed = { attempt: 1, status_code: 500, ...answer, next_attempt_at: '2026-11-01T12:01:07.000Z' };
  await told.tell(
    `test.webhook_delivery-${eventId}:${ENDPOINT}`,
    [
      { type: 'DeliveryScheduled', data: facts },
      { type: 'DeliveryAttemptFailed', data: failed },
      { type: 'DeliverySucceeded', data: { attempt: 2, status_code: 200, ...answer, response_excerpt: 'ok' } },
    ],
    { atMs: NOON + 6_500 },
  );
}

const reader = { merchantId: MERCHANT, mode: 'test', nowMs: NOON + 120_000 } as const;
const of = (id: string, moment: Moment | null = null, who = reader) =>
  timelines.of(new GetPaymentTimeline(id, who, moment));

async function event(id: string, revision: number): Promise<EventEntry> {
  const entry = (await of(id)).entries.find(each => each.kind === 'event' && each.revision === revision);
  if (entry?.kind !== 'event') throw new Error(`${id} has no revision ${revision}`);
  return entry;
}

it('tells every event in its order, with the webhooks and their attempts in between', async () => {
  const { entries, now, asOf, revisions, earlier, later } = await of(paid);
  expect(
    entries.map(entry => (entry.kind === 'event' ? entry.type : `${entry.kind} ${entry.at.slice(17, 23)}`)),
  ).toStrictEqual([
    ...['created', 'webhook 00.000', 'method_selected', 'transfer_seen', 'confirming', 'webhook 03.000'],
    ...['payer_screened', 'deep_enough', 'settled', 'webhook 06.000'],
    ...['attempt 07.500', 'attempt 08.500', 'accepted', 'settled', 'webhook 01.000'],
  ]);
  expect(now).toMatchObject({ id: paid, status: 'confirmed', transfers: [{ confirmations: 12 }], claims: [] });
  expect({ ...asOf, payment: asOf.payment.status }).toStrictEqual({
    ...{ revision: 8, at: '2026-11-01T12:01:01.000Z', isNewest: true, isRejected: false, payment: 'confirmed' },
  });
  expect([revisions, earlier, later]).toStrictEqual([9, 0, 0]);
});

it('has the answers of the receiver to each attempt', async () => {
  const attempts = (await of(paid)).entries.filter(({ kind }) => kind === 'attempt');
  expect(attempts).toMatchObject([
    { event: eventId, endpoint: ENDPOINT, url: null, attempt: 1, succeeded: false, statusCode: 500, excerpt: 'down' },
    { event: eventId, attempt: 2, trigger: 'schedule', succeeded: true, statusCode: 200, latencyMs: 84, excerpt: 'ok' },
  ]);
});

it('has the sources of the rate, the reservation and its own digits', async () => {
  const { facts, actor } = await event(paid, 1);
  expect(actor).toStrictEqual({ role: 'watcher', type: 'system', id: null });
  expect(facts).toStrictEqual(
    expect.arrayContaining([
      { name: 'rate_source', form: 'observation', value: '1.08', observation },
      { name: 'reserved', form: 'token', value: '27.000120', asset: 'USDC', price: '27.000000' },
      { name: 'slot', form: 'text', value: '2700012' },
      { name: 'tolerance', form: 'text', value: '50' },
    ]),
  );
});

it('has the block of a sighting, its depth, and the verdict on its payer without the source', async () => {
  expect((await event(paid, 2)).facts).toStrictEqual(
    expect.arrayContaining([
      { name: 'came', form: 'token', value: '10.000000', asset: 'USDC', price: null },
      { name: 'transaction', form: 'hash', value: HASH },
      { name: 'block', form: 'text', value: '100' },
      { name: 'block_hash', form: 'hash', value: h.BLOCK_HASH },
      { name: 'attribution', form: 'code', value: 'claimed' },
    ]),
  );
  expect((await event(paid, 4)).facts).toStrictEqual([
    { name: 'payer', form: 'address', value: h.PAYER },
    { name: 'verdict', form: 'code', value: 'clear' },
  ]);
  expect((await event(paid, 5)).facts).toContainEqual({ name: 'confirmations', form: 'text', value: '12' });
});

it('has the decision of a person by its id', async () => {
  expect(await event(paid, 7)).toMatchObject({ actor: OWNER, type: 'accepted' });
});

it('has the sums of a settlement, and the remainder that is asked for', async () => {
  expect((await event(paid, 6)).facts).toMatchObject([
    { name: 'received', value: '10.000000' },
    { name: 'credited', form: 'money', value: '925', currency: 'EUR', decimals: 2 },
    { name: 'remainder', value: '17.000130' },
    { name: 'slot', value: '1700013' },
    { name: 'reserved_until', form: 'time' },
  ]);
});

it('has the grounds of an inference beside its transfer', async () => {
  expect((await event(inferred, 2)).facts.filter(({ name }) => name.startsWith('inference'))).toStrictEqual([
    { name: 'inference_asked', form: 'token', value: '27.000120', asset: 'USDC', price: null },
    { name: 'inference_distance', form: 'token', value: '1.000120', asset: 'USDC', price: null },
    { name: 'inference_after_quote', form: 'span', value: '300000', ms: 300_000 },
    { name: 'inference_others', form: 'text', value: '2 / 9' },
    { name: 'inference_wallet', form: 'code', value: 'shared' },
  ]);
});

it('tells the fields that each event changed in the answer', async () => {
  const { changes } = await event(paid, 6);
  expect(changes).toStrictEqual(
    expect.arrayContaining([
      { field: 'status', before: 'confirming', after: 'underpaid' },
      { field: 'received_amount', before: '0', after: '925' },
      { field: 'remaining.token_amount', before: null, after: '17.000130' },
      { field: 'review.reason', before: null, after: 'underpaid' },
    ]),
  );
  expect((await event(paid, 5)).changes).toStrictEqual([
    { field: 'transfers.tr_1.confirmations', before: '1', after: '12' },
    { field: 'transfers.tr_1.status', before: 'confirming', after: 'credited' },
  ]);
  expect((await event(paid, 0)).changes).toContainEqual({ field: 'metadata.order', before: null, after: '42' });
});

it.each([
  ['a revision', { revision: 2 }],
  ['a time', { time: '2026-11-01T12:00:02.900Z' }],
])('answers as of %s', async (_, moment) => {
  const { asOf, now, entries } = await of(paid, moment);
  expect(asOf).toMatchObject({ revision: 2, isNewest: false, payment: { status: 'detected', received_amount: '0' } });
  expect(now.status).toBe('confirmed');
  const kinds = entries.filter(({ isLater }) => !isLater).map(({ kind }) => kind);
  expect(kinds).toStrictEqual(['event', 'webhook', 'event', 'event']);
});

it.each([{ revision: 9 }, { revision: -1 }, { revision: 0.5 }, { time: '2026-11-01T11:59:59.999Z' }])(
  'knows nothing of the payment at %j',
  async moment => {
    await expect(of(paid, moment)).rejects.toMatchObject({ code: 'parameter_invalid', param: 'as_of' });
  },
);

it.each([
  ['another merchant', () => paid, { ...reader, merchantId: STRANGER }],
  ['the other mode', () => paid, { ...reader, mode: 'live' as const }],
  ['an unknown id', () => 'pi_00000000000000000000000000', reader],
  ['a text that is no id', () => '../x', reader],
])('is not found by %s', async (_, id, who) => {
  await expect(of(id(), null, who as typeof reader)).rejects.toMatchObject({ code: 'payment_not_found' });
});

it('shows a bounded part of a long history, around the moment', async () => {
  const crowd = Array.from({ length: 90 }, (_, index) => h.detected(`tr_crowd_${index}`, '1'));
  const long = await told.payment([h.created, h.selected, ...crowd], { place: 2 });
  const newest = await of(long);
  expect([newest.entries.length, newest.earlier, newest.later]).toStrictEqual([EVENTS_BESIDE + 1, 31, 0]);
  const first = await of(long, { revision: 0 });
  expect([first.entries.length, first.earlier, first.later]).toStrictEqual([EVENTS_BESIDE + 1, 0, 31]);
  expect(first.asOf.payment.status).toBe('created');
});
