import { deferredWebhooksProjection } from '../../../../projections/deferred-webhooks.projection';
import { SECOND_MS } from '../../../../src/kernel/clock';
import { parseStreamName, type NewEvent } from '../../../../src/kernel/event';
import type { Mode } from '../../../../src/vocabulary/modes';
import { parseDeliveryId } from '../../../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEndpoints } from '../../../../src/modules/webhooks/webhook-endpoint.decider';
import { searchSize } from '../../../levels/search-size';
import { DispatchStage } from './dispatch-stage';

jest.setTimeout(240_000);

const merchant = (number: number): string => `mch_${String(number).padStart(26, '0')}`;
const [HOSTILE, OTHER] = [merchant(1), merchant(2)];
const LIMIT_MS = 60 * SECOND_MS;
/** More than the messages that a process takes at once, which are 128. */
const EVENTS = searchSize('OPENING_EVENTS', { small: 130, full: 240 });
const ENDPOINTS = 16;
/** The modes of a large merchant before another one in live mode. */
const MODES = (['test', 'live'] as const).slice(0, searchSize('OPENING_MODES', { small: 1, full: 2 }));
/** Less than a sixth of the waiting openings. */
const OPENINGS_BEFORE = 2.5 * EVENTS;
/** Merchants who take turns with a large one, and the large one's events, each for four endpoints. */
const OTHERS = searchSize('OPENING_MERCHANTS', { small: 5, full: 11 });
const EVENTS_OF_LARGE = searchSize('OPENING_EVENTS_OF_LARGE', { small: 100, full: 200 });

type Appended = { readonly stream: string; readonly event: NewEvent };

let stage: DispatchStage;
let appended: Appended[];

beforeEach(() => {
  stage = new DispatchStage();
  appended = [];
  afterAppend((stream, event) => void appended.push({ stream, event }));
});
afterEach(() => stage.close());

function afterAppend(tell: (stream: string, event: NewEvent) => void): void {
  const { append } = stage.store;
  stage.store.append = async (stream, expected, events) => {
    const answer = await append.call(stage.store, stream, expected, events);
    for (const event of events) tell(stream, event);
    return answer;
  };
}

/** Streams to which an event of the type was appended, in the order of the log. */
const streamsOf = (type: string, merchantId: string): readonly string[] =>
  appended
    .filter(({ event }) => event.type === type && event.metadata.merchant_id === merchantId)
    .map(({ stream }) => stream);
const openedFor = (merchantId: string): readonly string[] => streamsOf('DeliveryScheduled', merchantId);
const eventOf = (stream: string): string => parseDeliveryId(parseStreamName(stream).id).eventId;

async function storm(merchantId: string, mode: Mode, endpoints: number, events: number): Promise<void> {
  for (let number = 1; number <= endpoints; number++) await stage.endpoint(merchantId, number, mode);
  for (let number = 0; number < events; number++) await stage.payment(merchantId, mode);
}

async function deferred(mode: Mode): Promise<readonly string[]> {
  const page = await stage
    .core()
    .readModels.list(deferredWebhooksProjection, { index: 'by_merchant', equals: { mode }, limit: 1_000 });
  return page.map(({ id }) => id);
}

describe(`an event of one merchant, behind ${EVENTS} of another one with ${ENDPOINTS} endpoints`, () => {
  it.each(MODES)('has its delivery before most of those: %s mode before live', async mode => {
    await storm(HOSTILE, mode, ENDPOINTS, EVENTS);
    await stage.endpoint(OTHER, 1);
    await stage.payment(OTHER);
    let before = 0;
    afterAppend((stream, { type, metadata }) => {
      if (type === 'DeliveryScheduled' && metadata.merchant_id === OTHER) before = openedFor(HOSTILE).length;
    });
    await stage.startProcess();
    await stage.passUntil(() => openedFor(OTHER).length > 0, LIMIT_MS);
    expect(openedFor(OTHER)).toHaveLength(1);
    expect(before).toBeLessThan(OPENINGS_BEFORE);
  });
});

it('merchants whose events were deferred take turns', async () => {
  const merchants = Array.from({ length: 1 + OTHERS }, (_, index) => merchant(10 + index));
  const [large, ...others] = merchants as [string, ...string[]];
  await storm(large, 'live', 4, EVENTS_OF_LARGE);
  for (const each of others) await storm(each, 'live', 4, 12);
  let before = 0;
  afterAppend((_, { type, metadata }) => {
    const isOthers = type === 'DeliveryScheduled' && metadata.merchant_id !== large;
    if (isOthers) before = openedFor(large).length;
  });
  await stage.startProcess();
  await stage.passUntil(() => others.every(each => openedFor(each).length === 48), LIMIT_MS);
  expect(others.map(each => openedFor(each).length)).toStrictEqual(others.map(() => 48));
  expect(others.some(each => streamsOf('WebhookDeferred', each).length > 0)).toBe(true);
  // The large merchant has four times as many.
  expect(before).toBeLessThan(EVENTS_OF_LARGE);
});

it('a merchant alone with four payments at once has nothing deferred', async () => {
  await storm(OTHER, 'live', 2, 4);
  await stage.startProcess();
  await stage.passUntil(() => openedFor(OTHER).length === 8, LIMIT_MS);
  expect(openedFor(OTHER)).toHaveLength(8);
  expect(streamsOf('WebhookDeferred', OTHER)).toStrictEqual([]);
});

describe('events that were deferred', () => {
  it('are opened once for each endpoint, though a process is killed between two of the openings', async () => {
    await storm(HOSTILE, 'live', 6, 40);
    const first = await stage.startProcess();
    let partly: string | null = null;
    afterAppend((stream, { type }) => {
      if (type !== 'DeliveryScheduled' || partly !== null) return;
      const isDeferred = streamsOf('WebhookDeferred', HOSTILE).includes(`live.deferred_webhook-${eventOf(stream)}`);
      if (!isDeferred || openedFor(HOSTILE).filter(other => eventOf(other) === eventOf(stream)).length < 2) return;
      partly = eventOf(stream);
      first.kill();
    });
    await stage.passUntil(() => partly !== null, LIMIT_MS);
    expect(openedFor(HOSTILE).filter(stream => eventOf(stream) === partly).length).toBeLessThan(6);
    expect(await deferred('live')).toContain(partly);
    const disable = { type: 'disable', reason: 'disabled_by_merchant' } as const;
    const endpoint = parseDeliveryId(parseStreamName(openedFor(HOSTILE)[0] as string).id).endpointId;
    await stage.core().writes.execute(webhookEndpoints, endpoint, disable, stage.context(HOSTILE, 'live'));
    await stage.startProcess();
    await stage.pass(20 * SECOND_MS);
    expect(openedFor(HOSTILE)).toHaveLength(240);
    expect(new Set(openedFor(HOSTILE)).size).toBe(240);
    expect(await deferred('live')).toStrictEqual([]);
    const [begun, ended] = [streamsOf('WebhookDeferred', HOSTILE), streamsOf('DeferredWebhookOpened', HOSTILE)];
    expect(begun.length).toBeGreaterThan(20);
    expect([...ended].sort()).toStrictEqual([...begun].sort());
  });

  it('wait for none that fails by a fault, and the endpoints of that one for no other', async () => {
    await storm(HOSTILE, 'live', 3, 40);
    const { append } = stage.store;
    let faulty: string | null = null;
    let isHealed = false;
    stage.store.append = (stream, expected, events) => {
      const isDelivery = events.some(({ type }) => type === 'DeliveryScheduled');
      const isDeferred = isDelivery && appended.some(one => one.stream === `live.deferred_webhook-${eventOf(stream)}`);
      if (isDeferred) faulty ??= stream;
      if (stream === faulty && !isHealed) return Promise.reject(new Error('cannot be written'));
      return append.call(stage.store, stream, expected, events);
    };
    await stage.startProcess();
    await stage.pass(10 * SECOND_MS);
    expect(openedFor(HOSTILE)).toHaveLength(119);
    expect(await deferred('live')).toStrictEqual([eventOf(String(faulty))]);
    isHealed = true;
    await stage.pass(20 * SECOND_MS);
    expect(openedFor(HOSTILE)).toHaveLength(120);
    expect(await deferred('live')).toStrictEqual([]);
  });

  it('ask an endpoint’s stream a few times, and not once for each', async () => {
    await storm(HOSTILE, 'live', 2, 100);
    const { readStream } = stage.store;
    let reads = 0;
    stage.store.readStream = (stream, options) => {
      if (parseStreamName(stream).category === 'webhook_endpoint' && options?.from !== undefined) reads += 1;
      return readStream.call(stage.store, stream, options);
    };
    await stage.startProcess();
    await stage.passUntil(() => openedFor(HOSTILE).length === 200, LIMIT_MS);
    expect(openedFor(HOSTILE)).toHaveLength(200);
    expect(reads).toBeLessThan(100);
  });
});
