import type { RecordedEvent } from '../../src/kernel/event';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import { newestVersion, upcast, upcastingStore, type UpcastsByCategory } from '../../src/kernel/upcasting';
import { metadata, newEvent } from '../contracts/contract-support';
import { MemoryEventStore } from '../support/memory-event-store';

const UPCASTS: UpcastsByCategory = {
  order: {
    OrderPlaced: [
      ({ data }) => ({ type: 'OrderPlaced', data: { ...data, note: null } }),
      ({ data: { by, ...facts } }) => ({ type: 'OrderMade', data: { ...facts, customer: by ?? null } }),
    ],
  },
};

function recorded(schema: number, type = 'OrderPlaced', stream = 'test.order-1'): RecordedEvent {
  return {
    ...newEvent(type, { by: 'c_1' }),
    metadata: metadata({ schema }),
    stream,
    revision: 0,
    position: START_OF_LOG,
  };
}

describe('an event of an older version', () => {
  it('is brought to the newest shape, and keeps what was recorded of it', () => {
    const event = recorded(1);
    expect(upcast(UPCASTS, event)).toStrictEqual({
      ...event,
      type: 'OrderMade',
      data: { note: null, customer: 'c_1' },
    });
    expect(event.data).toStrictEqual({ by: 'c_1' });
    expect(upcast(UPCASTS, recorded(2))).toMatchObject({ type: 'OrderMade', data: { customer: 'c_1' } });
  });

  it('is the same where it has the newest shape, or belongs to another category', () => {
    for (const event of [recorded(3), recorded(1, 'OrderMade'), recorded(1, 'OrderPlaced', 'test.purchase-1')])
      expect(upcast(UPCASTS, event)).toBe(event);
  });

  it.each([0, 4, 1.5, Number.NaN])('is refused where its version is %s', schema => {
    expect(() => upcast(UPCASTS, recorded(schema))).toThrow(RangeError);
  });

  it('has a version by its type', () => {
    const types = ['OrderPlaced', 'OrderMade', 'toString'];
    expect(types.map(type => newestVersion(UPCASTS.order ?? {}, type))).toStrictEqual([3, 1, 1]);
  });
});

it('reaches every reader in the newest shape, while the log keeps the bytes', async () => {
  const store = new MemoryEventStore();
  const newest = upcastingStore(store, UPCASTS);
  await newest.ensureGroup('readers', { categories: ['order'] });
  await newest.append('test.order-1', 'no_stream', [newEvent('OrderPlaced', { by: 'c_1' })]);
  const seen: RecordedEvent[] = [...(await newest.readStream('test.order-1'))];
  const stop = new AbortController();
  for await (const { events, live } of newest.subscribe({ categories: ['order'] }, START_OF_LOG, stop.signal)) {
    seen.push(...events);
    if (live) stop.abort();
  }
  const consuming = new AbortController();
  const handled = newest.consume(
    'readers',
    ({ event }) => {
      seen.push(event);
      consuming.abort();
      return Promise.resolve();
    },
    { concurrency: 1, signal: consuming.signal },
  );
  await handled;
  expect(seen.map(({ type }) => type)).toStrictEqual(['OrderMade', 'OrderMade', 'OrderMade']);
  expect((await store.readStream('test.order-1'))[0]).toMatchObject({ type: 'OrderPlaced', data: { by: 'c_1' } });
});
