import { ErrorType } from '@eventstore/db-client';
import type { JsonObject } from '../../../src/vocabulary/json';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { encodeEvents } from '../../../src/platform/event-store/eventstoredb/event-codec';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { HurriedClock, ids, newEvent, newEvents, rejection, uniqueStream } from '../../contracts/contract-support';
import { clientError } from './fake-log';
import { FakeServer } from './fake-server';

const NEVER = new Promise<never>(() => undefined);

describe('appends to EventStoreDB', () => {
  let server: FakeServer;
  let store: EventStoreDbStore;

  beforeEach(() => {
    server = new FakeServer();
    store = new EventStoreDbStore(server.connect, new HurriedClock());
  });
  afterEach(() => store.close());

  /** Spoils one append: it is or is not written, and ends as told. */
  function spoilAppend(isWritten: boolean, end: () => Promise<unknown>): void {
    server.misbehave = call => {
      if (call !== 'append') return undefined;
      server.misbehave = () => undefined;
      if (isWritten) server.log.append(stream, encodeEvents(stream, events), 'no_stream');
      return end();
    };
  }
  let stream: string;
  let events: ReturnType<typeof newEvents>;
  beforeEach(() => {
    stream = uniqueStream();
    events = newEvents(2);
  });

  it.each([true, false])(
    'that are never answered end as unknown, and the same again settles it (written: %s)',
    async written => {
      spoilAppend(written, () => NEVER);
      expect(await rejection(store.append(stream, 'no_stream', events))).toBeInstanceOf(OutcomeUnknown);
      expect(await store.append(stream, 'no_stream', events)).toStrictEqual({ revision: 1 });
      expect(ids(await store.readStream(stream))).toStrictEqual(ids(events));
    },
  );

  it('that are never answered have their client replaced, the old one disposed of first', async () => {
    spoilAppend(false, () => NEVER);
    await rejection(store.append(stream, 'no_stream', events));
    const [before] = server.clients;
    expect(server.clients).toHaveLength(1);
    await store.append(stream, 'no_stream', events);
    expect(server.clients).toHaveLength(2);
    expect(server.clients[1]).not.toBe(before);
    expect(server.calls.indexOf('dispose')).toBeLessThan(
      server.calls.lastIndexOf('getPersistentSubscriptionToAllInfo'),
    );
  });

  it.each<[string, () => Error]>([
    ['an outage', () => clientError(ErrorType.UNAVAILABLE)],
    ['an outage as a plain gRPC error', () => Object.assign(new Error('14 UNAVAILABLE: dropped'), { code: 14 })],
    ["another client's cancellation", () => Object.assign(new Error('1 CANCELLED'), { code: 1 })],
    ['a deadline of the server', () => clientError(ErrorType.DEADLINE_EXCEEDED)],
    ['a time-out of the server', () => clientError(ErrorType.TIMEOUT)],
    ['a change of leader', () => clientError(ErrorType.NOT_LEADER)],
  ])('that fail by %s may have been written', async (_, error) => {
    const cause = error();
    spoilAppend(true, () => Promise.reject(cause));
    const unknown = await rejection(store.append(stream, 'no_stream', events));
    expect(unknown).toBeInstanceOf(OutcomeUnknown);
    expect(unknown).toMatchObject({ cause });
    expect(await store.append(stream, 'no_stream', events)).toStrictEqual({ revision: 1 });
  });

  it('are not sent while the server does not answer, which is known to write nothing', async () => {
    server.misbehave = () => Promise.reject(clientError(ErrorType.UNAVAILABLE));
    expect(await rejection(store.append(stream, 'no_stream', events))).toBeInstanceOf(StoreUnavailable);
    expect(server.count('append')).toBe(0);
  });

  it('ask for the health of a connection after a failure, and not before each', async () => {
    await store.append(stream, 'no_stream', events);
    await store.append(stream, 1, newEvents(1));
    expect(server.count('getPersistentSubscriptionToAllInfo')).toBe(1);
    spoilAppend(false, () => Promise.reject(clientError(ErrorType.UNAVAILABLE)));
    await rejection(store.append(stream, 2, newEvents(1)));
    await store.append(stream, 2, newEvents(1));
    expect(server.count('getPersistentSubscriptionToAllInfo')).toBe(2);
  });

  it('get a new client when the old one keeps the failure of its capability call', async () => {
    server.misbehave = (call, client) => {
      const isOld = client === server.clients[0] && call !== 'dispose';
      return isOld ? Promise.reject(new Error('2 UNKNOWN: kept for ever')) : undefined;
    };
    expect(await rejection(store.append(stream, 'no_stream', events))).toBeInstanceOf(StoreUnavailable);
    expect(await store.append(stream, 'no_stream', events)).toStrictEqual({ revision: 1 });
  });

  it('do not wait for a capability call that hangs, nor for a client that cannot be disposed of', async () => {
    server.misbehave = (_, client) => (client === server.clients[0] ? NEVER : undefined);
    expect(await rejection(store.append(stream, 'no_stream', events))).toBeInstanceOf(StoreUnavailable);
    expect(await store.append(stream, 'no_stream', events)).toStrictEqual({ revision: 1 });
  });

  it('share one probe when many come at once', async () => {
    const streams = Array.from({ length: 16 }, () => uniqueStream());
    await Promise.all(streams.map(one => store.append(one, 'no_stream', newEvents(1))));
    expect(server.count('getPersistentSubscriptionToAllInfo')).toBe(1);
  });

  it.each([ErrorType.ACCESS_DENIED, ErrorType.STREAM_DELETED, ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED])(
    'that the server refuses as %s are neither unknown nor an outage',
    async type => {
      spoilAppend(false, () => Promise.reject(clientError(type)));
      const error = await rejection(store.append(stream, 'no_stream', events));
      expect(error).not.toBeInstanceOf(OutcomeUnknown);
      expect(error).not.toBeInstanceOf(StoreUnavailable);
      expect(error).toMatchObject({ message: `${stream}: the append was refused: ${type}` });
    },
  );

  it('with a bigint never reach the client', async () => {
    const event = { ...newEvent(), data: { amount: 1n } as unknown as JsonObject };
    expect(await rejection(store.append(stream, 'no_stream', [event]))).toBeInstanceOf(TypeError);
    expect(server.calls).toStrictEqual([]);
  });

  it('of more than the server takes never reach the client', async () => {
    const event = newEvent('Kept', { text: 'x'.repeat(1_024 * 1_024) });
    expect(await rejection(store.append(stream, 'no_stream', [event]))).toBeInstanceOf(RangeError);
    expect(server.calls).toStrictEqual([]);
  });

  it('fail after closing', async () => {
    await store.close();
    expect(await rejection(store.append(stream, 'no_stream', events))).toBeInstanceOf(StoreUnavailable);
  });
});
