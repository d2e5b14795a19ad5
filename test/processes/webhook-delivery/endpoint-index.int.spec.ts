import { setImmediate as nextTurn } from 'node:timers/promises';
import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import { invariant } from '../../../src/kernel/invariant';
import type { LogPosition } from '../../../src/kernel/log-position';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { MemoryEventStore } from '../../support/memory-event-store';
import { PAYMENT_CREATED, paymentAsOf, WebhookFixture } from './webhook-fixture';

const HEAD = 7 as LogPosition;

let isFilled: boolean;
let head: LogPosition;
let asked: LogPosition[];
let fixture: WebhookFixture;

beforeEach(() => {
  isFilled = true;
  head = HEAD;
  asked = [];
  fixture = new WebhookFixture(paymentAsOf, new MemoryEventStore(), {
    head: () => Promise.resolve(head),
    holds: (_, position) => Promise.resolve(asked.push(position) > 0 && isFilled),
  });
});

const created = async (): Promise<RecordedEvent> => (await fixture.payment(PAYMENT_CREATED))[0] as RecordedEvent;
const unheard = async (source: RecordedEvent): Promise<number> =>
  (await fixture.store.readStream(`test.unheard_webhook-${webhookEventId(source)}`)).length;

/** Takes the endpoint out of the documents, as where those are filled anew. Gives the means to fill them. */
async function unlist(endpointId: string): Promise<() => Promise<void>> {
  const documents = await fixture.documents.open(webhookEndpointsProjection);
  const document = await documents.get(endpointId);
  invariant(document, 'the endpoint has a document');
  await documents.deleteAt(endpointId, document.version);
  isFilled = false;
  return async () => {
    await documents.put(document);
    isFilled = true;
  };
}

describe.each([
  ['no endpoint', 1],
  ['one of two endpoints', 2],
])('new documents that hold %s so far', (_, count) => {
  it('leave an event until they are filled, which is then opened for each endpoint', async () => {
    const endpoints = await Promise.all(Array.from({ length: count }, () => fixture.endpoint()));
    const last = endpoints.at(-1);
    invariant(last, 'there is an endpoint');
    const fill = await unlist(last.id);
    const source = await created();
    await expect(fixture.schedule([source])).rejects.toThrow(StoreUnavailable);
    for (const { id } of endpoints) expect(await fixture.types(source, id)).toEqual([]);
    expect(await unheard(source)).toBe(0);
    await fill();
    await fixture.schedule([source]);
    for (const { id } of endpoints) expect(await fixture.types(source, id)).toEqual(['DeliveryScheduled']);
    expect(await unheard(source)).toBe(0);
  });
});

it('waits for an index that is only a moment behind', async () => {
  const { id } = await fixture.endpoint();
  const fill = await unlist(id);
  const source = await created();
  const scheduling = fixture.schedule([source]);
  await fill();
  await scheduling;
  expect(await fixture.types(source, id)).toEqual(['DeliveryScheduled']);
});

it('is waited for as the process starts, before the first event comes', async () => {
  const stopping = new AbortController();
  const running = fixture.scheduling.run(stopping.signal);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  stopping.abort();
  await running;
  expect(asked).toEqual([HEAD]);
  await fixture.schedule([await created()]);
  expect(asked).toEqual([HEAD]);
});

it('asks for the log’s head once, and for the index once a second, however many events come', async () => {
  const [one, two] = [await created(), await created()];
  await Promise.all([one, two, one].map(source => fixture.schedule([source])));
  await fixture.schedule([two]);
  expect(asked).toEqual([HEAD]);
  fixture.clock.timeMs += 1_000;
  await fixture.schedule([one, two]);
  expect(asked).toEqual([HEAD, HEAD]);
});

it('asks again after the documents were away', async () => {
  const source = await created();
  await fixture.schedule([source]);
  jest.spyOn(fixture.readModels, 'list').mockRejectedValueOnce(new StoreUnavailable('away'));
  await expect(fixture.schedule([source])).rejects.toThrow('away');
  isFilled = false;
  await expect(fixture.schedule([source])).rejects.toThrow('the index of webhook endpoints is behind the log');
});

it('asks for the log’s head anew after the documents were away, since older ones may have come back', async () => {
  const source = await created();
  await fixture.schedule([source]);
  head = 9 as LogPosition;
  jest.spyOn(fixture.readModels, 'list').mockRejectedValueOnce(new StoreUnavailable('away'));
  await expect(fixture.schedule([source])).rejects.toThrow('away');
  await fixture.schedule([source]);
  expect(asked).toEqual([HEAD, head]);
});

it('keeps its goal while the index is behind, however fast the log grows', async () => {
  isFilled = false;
  const source = await created();
  await expect(fixture.schedule([source])).rejects.toThrow('behind the log');
  head = 9 as LogPosition;
  await expect(fixture.schedule([source])).rejects.toThrow('behind the log');
  expect(new Set(asked)).toEqual(new Set([HEAD]));
});
