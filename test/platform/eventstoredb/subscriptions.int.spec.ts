import { randomUUID } from 'node:crypto';
import { ErrorType } from '@eventstore/db-client';
import { START_OF_LOG, type EventBatch, type EventFilter } from '../../../src/kernel/ports/event-store';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { eventually, HurriedClock, ids, newEvents, rejection, uniqueStream } from '../../contracts/contract-support';
import { clientError } from './fake-log';
import { FakeServer } from './fake-server';

/** Deadlines are cut as pauses are, and an append of a thousand events takes a busy machine its time. */
const HASTE = 10;

describe('subscriptions to EventStoreDB', () => {
  const filter: EventFilter = { categories: ['kept'] };
  let server: FakeServer;
  let store: EventStoreDbStore;
  let drops: unknown[];

  beforeEach(() => {
    server = new FakeServer();
    drops = [];
    const onDrop = (name: string, error: unknown): void => {
      drops.push([name, error]);
      throw new Error('a log line that fails');
    };
    store = new EventStoreDbStore(server.connect, new HurriedClock(HASTE), { onDrop });
  });
  afterEach(() => store.close());

  async function append(category: string, count: number): Promise<string[]> {
    const events = newEvents(count);
    await store.append(uniqueStream(category), 'no_stream', events);
    return ids(events);
  }

  function follow(after = START_OF_LOG): { batches: EventBatch[]; seen(): string[]; stop(): Promise<void> } {
    const batches: EventBatch[] = [];
    const controller = new AbortController();
    const following = (async () => {
      for await (const batch of store.subscribe(filter, after, controller.signal)) batches.push(batch);
    })();
    const stop = (): Promise<void> => {
      controller.abort();
      return following;
    };
    return { batches, seen: () => batches.flatMap(batch => ids(batch.events)), stop };
  }

  const isLive = ({ batches }: { batches: EventBatch[] }): boolean => batches.at(-1)?.live === true;

  it.each<[string, Error | undefined, Error | null]>([
    ['end in silence', undefined, null],
    ['fail without ending', clientError(ErrorType.UNAVAILABLE), clientError(ErrorType.UNAVAILABLE)],
  ])('that %s are made anew, without a gap or a repetition', async (_, error, told) => {
    const expected = await append('kept', 3);
    const follower = follow();
    for (let round = 0; round < 5; round++) {
      await eventually(() => follower.seen().length === expected.length && isLive(follower));
      const made = server.subscriptions.length;
      server.subscriptions.at(-1)?.letGo(error);
      expected.push(...(await append('kept', 3)));
      await eventually(() => server.subscriptions.length > made);
    }
    await eventually(() => follower.seen().length === expected.length);
    await follower.stop();
    expect(follower.seen()).toStrictEqual(expected);
    expect(drops).toStrictEqual(Array.from({ length: 5 }, () => ['$all of kept', told]));
  });

  it('that drop again and again while much is written lose nothing and repeat nothing', async () => {
    const expected: string[] = [];
    const follower = follow();
    for (let round = 0; round < 40; round++) {
      expected.push(...(await append('kept', 2)));
      await append('other', 1);
      if (round % 3 === 0) server.subscriptions.at(-1)?.letGo();
    }
    await eventually(() => follower.seen().length >= expected.length);
    await follower.stop();
    expect(follower.seen()).toStrictEqual(expected);
  });

  it('wait for the server to come back', async () => {
    const expected = await append('kept', 1);
    let away = true;
    server.misbehave = () => (away ? Promise.reject(clientError(ErrorType.UNAVAILABLE)) : undefined);
    const follower = follow();
    await eventually(() => drops.length >= 3);
    away = false;
    await eventually(() => follower.seen().length === 1);
    await follower.stop();
    expect(follower.seen()).toStrictEqual(expected);
  });

  it('never take a place between two events for the event that comes next', async () => {
    await append('kept', 2);
    await append('other', 5);
    const first = follow();
    await eventually(() => isLive(first));
    await first.stop();
    const position = first.batches.at(-1)?.position ?? START_OF_LOG;
    expect(server.log.entries.map(({ start }) => start)).toContain(position);
    const expected = await append('kept', 1);
    expect(server.log.entries.at(-1)?.start).toBeGreaterThan(position);
    const second = follow(position);
    await eventually(() => second.seen().length === 1);
    await second.stop();
    expect(second.seen()).toStrictEqual(expected);
  });

  it("keep their position with the log's head while they are live, past the server's own events too", async () => {
    const follower = follow();
    await eventually(() => isLive(follower));
    await append('other', 1);
    server.log.appendSystemEvent();
    const head = server.log.entries.at(-1)?.start as number;
    await eventually(() => follower.batches.at(-1)?.position === head);
    await follower.stop();
    expect(follower.seen()).toStrictEqual([]);
  });

  it.each([1, 2])(
    'are made anew each of %d times that they fall silent for good, with the log ahead of them',
    async count => {
      const expected = await append('kept', 1);
      const follower = follow();
      await eventually(() => isLive(follower) && server.subscriptions.length === 2);
      for (let silenced = 1; silenced <= count; silenced++) {
        server.subscriptions.at(-1)?.fallSilent();
        expected.push(...(await append('kept', 1)));
        await eventually(() => follower.seen().length === expected.length && isLive(follower));
      }
      await follower.stop();
      expect(follower.seen()).toStrictEqual(expected);
    },
  );

  it('are let alone in silence while nothing comes', async () => {
    await append('kept', 1);
    const follower = follow();
    await eventually(() => isLive(follower) && server.subscriptions.length === 2);
    await new HurriedClock(HASTE).wait(10_000);
    await follower.stop();
    expect(server.subscriptions).toHaveLength(2);
  });

  it('that fall behind catch up and are live again', async () => {
    const expected = await append('kept', 1);
    const follower = follow();
    await eventually(() => isLive(follower) && server.subscriptions.length === 2);
    await server.subscriptions[1]?.fallBehind();
    await eventually(() => server.subscriptions.length === 4);
    expected.push(...(await append('kept', 2)));
    await eventually(() => follower.seen().length === 3 && isLive(follower));
    await follower.stop();
    expect(follower.seen()).toStrictEqual(expected);
    expect(drops).toStrictEqual([]);
  });

  it('take checkpoints without ever throwing, whatever they are and whenever they come', async () => {
    const follower = follow();
    await eventually(() => isLive(follower));
    await follower.stop();
    for (const { chosen } of server.subscriptions) {
      for (const checkpoint of [{ commit: 5n, prepare: 0n }, { commit: -1n, prepare: -1n }, undefined, null]) {
        expect(() => chosen.checkpointReached?.(null as never, checkpoint as never)).not.toThrow();
      }
    }
  });

  it('hold the server back when their reader is slow', async () => {
    for (let round = 0; round < 10; round++) await append('kept', 1_000);
    const controller = new AbortController();
    const reader = store.subscribe(filter, START_OF_LOG, controller.signal)[Symbol.asyncIterator]();
    await reader.next();
    const [subscription] = server.subscriptions;
    let before = -1;
    await eventually(() => {
      const isSteady = subscription?.sent === before;
      before = subscription?.sent ?? 0;
      return isSteady;
    });
    expect(before).toBeLessThan(3_000);
    controller.abort();
    await reader.return?.(undefined);
  });

  it('are let go of when their reader leaves', async () => {
    await append('kept', 2);
    for await (const batch of store.subscribe(filter, START_OF_LOG, new AbortController().signal)) {
      if (batch.events.length > 0) break;
    }
    expect(server.subscriptions.every(subscription => subscription.destroyed)).toBe(true);
  });

  it('end when the store is closed', async () => {
    const follower = follow();
    await eventually(() => isLive(follower));
    await store.close();
    await follower.stop();
    expect(drops).toStrictEqual([]);
  });

  it('stop loudly at an event that is not ours, and name it', async () => {
    const foreign = { id: randomUUID(), type: 'Foreign', data: Buffer.from('"no object"'), metadata: Buffer.of() };
    server.log.append('test.kept-foreign', [foreign], 'no_stream');
    const reader = store.subscribe(filter, START_OF_LOG, new AbortController().signal)[Symbol.asyncIterator]();
    expect(await rejection(reader.next())).toMatchObject({
      message: 'test.kept-foreign@0: the data is no JSON object',
    });
  });

  it('tell the last position past any number of events of the server itself, looking at each once', async () => {
    expect(await store.lastPosition()).toBe(START_OF_LOG);
    await append('kept', 2);
    const last = server.log.entries.at(-1)?.start;
    for (let count = 0; count < 50; count++) server.log.appendSystemEvent();
    expect(await store.lastPosition()).toBe(last);
    expect(await Promise.all([store.lastPosition(), store.lastPosition()])).toStrictEqual([last, last]);
  });
});
