import { ErrorType } from '@eventstore/db-client';
import { refuse } from '../../../src/vocabulary/errors';
import type { GroupMessage } from '../../../src/kernel/ports/event-store';
import { MAX_DELIVERIES, WAITING_MESSAGES_LIMIT } from '../../../src/kernel/ports/event-store';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import {
  eventually,
  Gate,
  HurriedClock,
  ids,
  newEvents,
  rejection,
  uniqueStream,
} from '../../contracts/contract-support';
import type { FakeConsumer } from './fake-group';
import { clientError } from './fake-log';
import { FakeServer } from './fake-server';

describe('groups in EventStoreDB', () => {
  let server: FakeServer;
  let store: EventStoreDbStore;
  let drops: unknown[];
  let failures: unknown[];

  beforeEach(async () => {
    server = new FakeServer();
    drops = [];
    failures = [];
    store = new EventStoreDbStore(server.connect, new HurriedClock(), {
      onDrop: (name, error) => drops.push([name, error]),
      onHandlerError: (name, event, error, fate) => failures.push([name, event.id, error, fate]),
    });
    await store.ensureGroup('keepers', { categories: ['kept'] });
  });
  afterEach(() => store.close());

  async function append(category: string, count: number): Promise<string[]> {
    const events = newEvents(count);
    await store.append(uniqueStream(category), 'no_stream', events);
    return ids(events);
  }

  function consume(handler: (message: GroupMessage) => Promise<void>, concurrency = 1): () => Promise<void> {
    const controller = new AbortController();
    const consuming = store.consume('keepers', handler, { concurrency, signal: controller.signal });
    return () => {
      controller.abort();
      return consuming;
    };
  }

  const consumer = (): FakeConsumer => server.groups.get('keepers')?.consumers.at(-1) as FakeConsumer;

  it('read from the start of the log, are given round robin and leave the parking to their consumers', () => {
    expect(server.groups.get('keepers')?.settings).toMatchObject({
      startFrom: 'start',
      consumerStrategyName: 'RoundRobin',
      maxRetryCount: 1_000_000,
      resolveLinkTos: false,
    });
  });

  it('are updated where that changes something, since it drops their consumers', async () => {
    await store.ensureGroup('keepers', { categories: ['kept'] });
    expect(server.count('updatePersistentSubscriptionToAll')).toBe(0);
    const group = server.groups.get('keepers');
    if (group) group.settings = { ...group.settings, messageTimeout: 30_000 };
    await store.ensureGroup('keepers', { categories: ['kept'] });
    expect(server.count('updatePersistentSubscriptionToAll')).toBe(1);
    expect(group?.settings.messageTimeout).toBe(120_000);
  });

  it.each<[string, Error | undefined]>([
    ['in silence', undefined],
    ['with an error', clientError(ErrorType.PERSISTENT_SUBSCRIPTION_DROPPED)],
  ])('are consumed anew after a drop %s, and a message under way is handled once', async (_, error) => {
    const gate = new Gate();
    const handled: string[] = [];
    const stop = consume(async ({ event }) => {
      handled.push(event.id);
      await gate.opened;
    });
    const [id] = await append('kept', 1);
    await eventually(() => handled.length === 1);
    const before = consumer();
    before.letGo(error);
    await eventually(
      () => consumer()?.inFlight.size === 1 && consumer().writableLength + consumer().readableLength === 0,
    );
    // The message is being handled still: it is answered at its last consumer, and handled once.
    gate.open();
    await eventually(() => consumer().acknowledged.length === 1);
    await stop();
    expect(handled).toStrictEqual([id]);
    expect(before.acknowledged).toStrictEqual([]);
    expect(drops).toStrictEqual([['keepers', error ?? null]]);
  });

  it('handle a message again when its answer was lost', async () => {
    const retries: number[] = [];
    const stop = consume(async message => {
      retries.push(message.retries);
      // The drop comes between the handler's end and its answer.
      if (retries.length === 1) queueMicrotask(() => consumer().letGo());
      await Promise.resolve();
    });
    await append('kept', 1);
    await eventually(() => retries.length === 2);
    await stop();
    // The handler did not fail.
    expect(retries).toStrictEqual([0, 0]);
  });

  it('park nothing for connections that are lost again and again', async () => {
    const handled: string[] = [];
    const gate = new Gate();
    const stop = consume(async ({ event, retries }) => {
      await gate.opened;
      if (retries === 0) throw new Error('the handler fails on purpose');
      handled.push(event.id);
    });
    const [id] = await append('kept', 1);
    for (let drop = 1; drop <= MAX_DELIVERIES + 2; drop++) {
      await eventually(() => consumer()?.inFlight.size === 1);
      consumer().letGo(clientError(ErrorType.UNAVAILABLE));
      await eventually(() => drops.length === drop);
    }
    gate.open();
    await eventually(() => handled.length === 1);
    await stop();
    expect(handled).toStrictEqual([id]);
    expect((await store.groupStatus('keepers')).parked).toBe(0);
  });

  it('wait for the server to come back', async () => {
    const handled: string[] = [];
    const expected = await append('kept', 1);
    let away = true;
    const stop = consume(async ({ event }) => void (await Promise.resolve(handled.push(event.id))));
    await eventually(() => handled.length === 1);
    server.misbehave = () => (away ? Promise.reject(clientError(ErrorType.UNAVAILABLE)) : undefined);
    consumer().letGo(clientError(ErrorType.UNAVAILABLE));
    await eventually(() => drops.length >= 3);
    away = false;
    expected.push(...(await append('kept', 1)));
    await eventually(() => handled.length === 2);
    await stop();
    expect(handled).toStrictEqual(expected);
  });

  it('wait for a server that went away after they were ensured, and then give what came', async () => {
    let away = true;
    server.misbehave = call =>
      away && call === 'readStream' ? Promise.reject(clientError(ErrorType.UNAVAILABLE)) : undefined;
    const handled: string[] = [];
    const stop = consume(async ({ event }) => void (await Promise.resolve(handled.push(event.id))));
    await eventually(() => drops.length >= 3);
    away = false;
    const expected = await append('kept', 1);
    await eventually(() => handled.length === 1);
    await stop();
    expect(handled).toStrictEqual(expected);
  });

  it('stop where they are told to while the server is away', async () => {
    server.misbehave = call => (call === 'readStream' ? Promise.reject(clientError(ErrorType.UNAVAILABLE)) : undefined);
    const stop = consume(() => Promise.resolve());
    await eventually(() => drops.length >= 1);
    await stop();
    expect(server.groups.get('keepers')?.consumers).toStrictEqual([]);
  });

  it('acknowledge what their filter does not name, without handling it', async () => {
    const handled: string[] = [];
    const stop = consume(async ({ event }) => void (await Promise.resolve(handled.push(event.id))));
    const others = await append('other', 3);
    const [own] = await append('kept', 1);
    await eventually(() => consumer().acknowledged.length === 4);
    expect(consumer().acknowledged.slice(0, 3)).toStrictEqual(others);
    await stop();
    expect(handled).toStrictEqual([own]);
  });

  it('tell of each failure, and park a message at its last, with the reason', async () => {
    const error = new Error('no such merchant');
    const stop = consume(() => Promise.reject(error));
    const [id] = await append('kept', 1);
    await eventually(async () => (await store.groupStatus('keepers')).parked === 1);
    const retried = Array.from({ length: MAX_DELIVERIES - 1 }, () => ['keepers', id, error, 'retried']);
    expect(failures).toStrictEqual([...retried, ['keepers', id, error, 'parked']]);
    expect(consumer().refused).toStrictEqual([{ action: 'park', reason: 'no such merchant' }]);
    await stop();
  });

  it('hold no more of the server than their handlers need', async () => {
    const gate = new Gate();
    let running = 0;
    const stop = consume(async () => {
      running++;
      await gate.opened;
    }, 4);
    await append('kept', 100);
    await eventually(() => running === 4);
    expect(consumer().bufferSize).toBe(20);
    gate.open();
    await eventually(() => running === 100);
    await stop();
  });

  it('take further places for what waits for a provider, up to a bound, and keep what they hold', async () => {
    const providerAway = () => Promise.reject(refuse('provider_unavailable'));
    const stop = consume(providerAway, 4);
    for (let part = 0; part < 30; part++) await append('kept', 50);
    const consumers = () => server.groups.get('keepers')?.consumers ?? [];
    const held = () => consumers().reduce((sum, { inFlight }) => sum + inFlight.size, 0);
    await eventually(() => held() === 4 + WAITING_MESSAGES_LIMIT);
    expect(consumers().map(({ bufferSize }) => bufferSize)).toStrictEqual([20, 16, 32, 64, 128, 256, 512]);
    expect(drops).toStrictEqual([]);
    await stop();
  });

  it('give answers time to leave before they hang up', async () => {
    const stop = consume(() => Promise.resolve());
    await append('kept', 1);
    await eventually(() => consumer().acknowledged.length === 1);
    const last = consumer();
    await stop();
    expect(last.destroyed).toBe(true);
    expect(server.groups.get('keepers')?.retrying).toStrictEqual([]);
  });

  it.each([
    [
      'consume',
      () => store.consume('nobody', () => Promise.resolve(), { concurrency: 1, signal: AbortSignal.abort() }),
    ],
    ['groupStatus', () => store.groupStatus('nobody')],
    ['replayParked', () => store.replayParked('nobody')],
    ['parkedEvents', () => store.parkedEvents('nobody', 1)],
  ])('%s refuses a group that is not there', async (_, call) => {
    expect(await rejection(call())).toBeInstanceOf(RangeError);
  });

  it.each([{ categories: [] }, { categories: ['a-b'] }, { categories: ['.*'] }, { categories: ['A|B'] }])(
    'refuse the filter %j, which would mean something else to the server',
    async filter => {
      expect(await rejection(store.ensureGroup('keepers', filter))).toBeInstanceOf(RangeError);
    },
  );
});
