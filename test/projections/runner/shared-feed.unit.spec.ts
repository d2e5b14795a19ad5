import { setImmediate as nextTurn } from 'node:timers/promises';
import { FeedSeat, QUEUED_EVENTS_LIMIT, type OnPassed } from '../../../projections/runner/feed-seat';
import { SharedFeed } from '../../../projections/runner/shared-feed';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { START_OF_LOG, StoreUnavailable, type EventStore } from '../../../src/kernel/ports/event-store';
import { newEvents, uniqueStream } from '../../contracts/contract-support';
import { RecordingLog } from '../../support/fixture-doubles';
import { MemoryEventStore } from '../../support/memory-event-store';
import { SteppedClock } from './stepped-clock';
import { SubscriptionCount } from './subscription-count';
import { oneByOne, watched } from './watched-store';

let store: MemoryEventStore;
let clock: SteppedClock;
let log: RecordingLog;
let stopping: AbortController;
let running: Promise<void>[];

beforeEach(() => {
  store = new MemoryEventStore();
  clock = new SteppedClock();
  log = new RecordingLog();
  stopping = new AbortController();
  running = [];
});
afterEach(stop);

async function stop(): Promise<void> {
  stopping.abort();
  await Promise.all(running);
}

function feedOf(given: EventStore, ...categories: readonly string[]): SharedFeed {
  const feed = new SharedFeed({ store: given, clock, log }, categories);
  running.push(feed.run(stopping.signal));
  return feed;
}

type Reader = { readonly ids: string[]; position: LogPosition; isLive: boolean };

function passing(reader: Reader): OnPassed {
  return (position, live) => void Object.assign(reader, { position, isLive: live });
}

/** Takes so many turns over each batch. */
function read(feed: SharedFeed, categories: readonly string[], after = START_OF_LOG, turns = 0): Reader {
  const reader: Reader = { ids: [], position: after, isLive: false };
  const take = async (): Promise<void> => {
    const signal = AbortSignal.any([stopping.signal]);
    for await (const { events, position, live } of feed.subscribe({ categories }, after, signal, passing(reader))) {
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      reader.ids.push(...events.map(({ id }) => id));
      reader.position = position;
      reader.isLive = live;
    }
  };
  running.push(take());
  return reader;
}

async function append(category: string, count = 1): Promise<void> {
  await store.append(uniqueStream(category), 'no_stream', newEvents(count));
}

async function logged(...categories: readonly string[]): Promise<readonly RecordedEvent[]> {
  const { events } = store.page({ categories }, START_OF_LOG);
  expect(events.length).toBeLessThan(512);
  return events;
}

async function caughtUp(...readers: readonly Reader[]): Promise<void> {
  const head = await store.lastPosition();
  await clock.passUntil('the readers have come to the head', () =>
    readers.every(({ position, isLive }) => position === head && isLive),
  );
}

it('gives each reader the events of its categories from its own position on', async () => {
  await append('one', 3);
  await append('two', 2);
  const feed = feedOf(store, 'one', 'two');
  const [first] = await logged('one');
  const [both, ones, rest] = [read(feed, ['one', 'two']), read(feed, ['one']), read(feed, ['one'], first?.position)];
  await append('other');
  await append('one');
  await append('two');
  await caughtUp(both, ones, rest);
  const [all, some] = [await logged('one', 'two'), await logged('one')];
  expect(both.ids).toStrictEqual(all.map(({ id }) => id));
  expect(ones.ids).toStrictEqual(some.map(({ id }) => id));
  expect(rest.ids).toStrictEqual(some.slice(1).map(({ id }) => id));
  expect(log.lines).toStrictEqual([]);
});

it('has neither a gap nor a repetition, whoever joins when, and whatever interrupts it', async () => {
  let batches = 0;
  const shaky = watched(
    store,
    async () => {
      if (++batches % 41 === 0) throw new StoreUnavailable('gone');
      if (batches % 3 === 0) await nextTurn();
    },
    oneByOne,
  );
  const feed = feedOf(shaky, 'one', 'two');
  const readers: { readonly categories: readonly string[]; readonly reader: Reader; readonly after: LogPosition }[] =
    [];
  const join = (categories: readonly string[], after: LogPosition, turns: number): void => {
    const reader: Reader = { ids: [], position: after, isLive: false };
    readers.push({ categories, after, reader });
    running.push(rejoining(feed, categories, reader, turns));
  };
  for (let round = 0; round < 60; round++) {
    await append(round % 3 === 0 ? 'two' : 'one', 1 + (round % 4));
    const events = await logged('one', 'two');
    const after = round % 2 === 0 ? START_OF_LOG : (events[Math.floor(events.length / 2)]?.position ?? START_OF_LOG);
    if (round % 6 < 2) join([['one'], ['two'], ['one', 'two']][(round % 9) % 3] as string[], after, round % 5);
    clock.step(round % 7 === 0 ? 100 : 0);
    for (let turn = 0; turn < round % 4; turn++) await nextTurn();
  }
  await caughtUp(...readers.map(({ reader }) => reader));
  expect(batches).toBeGreaterThan(400);
  expect(readers).toHaveLength(20);
  for (const { categories, after, reader } of readers) {
    const expected = (await logged(...categories)).filter(({ position }) => position > after);
    expect(reader.ids).toStrictEqual(expected.map(({ id }) => id));
  }
});

it('takes in a category that it had not, and its other readers notice nothing', async () => {
  const feed = feedOf(store, 'one');
  await append('one', 2);
  const ones = read(feed, ['one']);
  await caughtUp(ones);
  await append('two', 2);
  const twos = read(feed, ['two']);
  await append('one');
  await append('two');
  await caughtUp(ones, twos);
  expect(ones.ids).toStrictEqual((await logged('one')).map(({ id }) => id));
  expect(twos.ids).toStrictEqual((await logged('two')).map(({ id }) => id));
  expect(log.lines).toStrictEqual([]);
});

it('lets a reader who is slower than the log go on alone, and takes the reader back', async () => {
  const count = new SubscriptionCount(store);
  const feed = feedOf(count.store, 'one');
  await append('one');
  const [quick, slow] = [read(feed, ['one']), read(feed, ['one'], START_OF_LOG, 20)];
  await caughtUp(quick, slow);
  for (let round = 0; round <= QUEUED_EVENTS_LIMIT / 400; round++) {
    await append('one', 400);
    await nextTurn();
  }
  await append('one', 400);
  await caughtUp(quick, slow);
  expect(slow.ids).toStrictEqual(quick.ids);
  expect(new Set(slow.ids).size).toBe(1 + 400 * (Math.floor(QUEUED_EVENTS_LIMIT / 400) + 2));
  await nextTurn();
  expect(count.open).toBe(1);
});

it('comes back by itself, with growing pauses, when the log cannot be reached', async () => {
  let failures = 4;
  const lastPosition = (): ReturnType<EventStore['lastPosition']> =>
    failures-- > 0 ? Promise.reject(new StoreUnavailable('gone')) : store.lastPosition();
  await append('one', 2);
  const feed = feedOf(Object.assign(Object.create(store) as EventStore, { lastPosition }), 'one');
  const ones = read(feed, ['one']);
  await caughtUp(ones);
  expect(ones.ids).toHaveLength(2);
  expect(log.lines).toMatchObject([100, 200, 400, 800].map(pauseMs => ({ facts: { retry_in_ms: pauseMs } })));
});

it('ends for a reader when the store ends that reader’s own subscription', async () => {
  await append('one', 2);
  const subscribe: EventStore['subscribe'] = (filter, after, signal) =>
    store.subscribe(filter, after, after === START_OF_LOG ? AbortSignal.abort() : signal);
  const feed = feedOf(Object.assign(Object.create(store) as EventStore, { subscribe }), 'one');
  const batches = [];
  for await (const batch of feed.subscribe({ categories: ['one'] }, START_OF_LOG, stopping.signal, () => undefined))
    batches.push(batch);
  expect(batches).toStrictEqual([]);
});

describe('a seat', () => {
  const events = (count: number) => newEvents(count) as unknown as readonly RecordedEvent[];
  const at = (position: number) => position as LogPosition;
  const passed = jest.fn<void, Parameters<OnPassed>>();
  beforeEach(() => passed.mockClear());

  it('gives what has come since as one batch, beginning with where it is', async () => {
    const seat = new FeedSeat(new Set(['one']), passed);
    seat.give(events(1), at(7), true);
    seat.open(at(10), true);
    expect(await seat.next()).toStrictEqual({ events: [], position: 10, live: true });
    const given = events(3);
    seat.give(given.slice(0, 2), at(12), false);
    seat.give(given.slice(2), at(15), true);
    expect(await seat.next()).toStrictEqual({ events: given, position: 15, live: true });
  });

  it('wakes nobody for events of others, and tells who waits that they have passed', async () => {
    const seat = new FeedSeat(new Set(['one']), passed);
    seat.open(at(10), true);
    seat.give([], at(12), true);
    expect(await seat.next()).toMatchObject({ events: [], position: 12 });
    expect(passed).not.toHaveBeenCalled();
    const next = seat.next();
    seat.give([], at(14), true);
    seat.give([], at(16), false);
    expect(passed.mock.calls).toStrictEqual([
      [14, true],
      [16, false],
    ]);
    const given = events(1);
    seat.give(given, at(18), true);
    seat.give([], at(19), true);
    expect(await next).toStrictEqual({ events: given, position: 19, live: true });
    expect(passed).toHaveBeenCalledTimes(2);
  });

  it('is lost where it would have to keep more events than its limit', async () => {
    const seat = new FeedSeat(new Set(['one']), passed);
    seat.open(START_OF_LOG, false);
    seat.give(events(QUEUED_EVENTS_LIMIT), at(10), false);
    expect(seat.isLost).toBe(false);
    seat.give(events(1), at(11), false);
    expect(seat.isLost).toBe(true);
    expect(await seat.next()).toBeNull();
  });
});

/** Goes on from where it was whenever its reading is interrupted, as a loop does. */
async function rejoining(
  feed: SharedFeed,
  categories: readonly string[],
  reader: Reader,
  turns: number,
): Promise<void> {
  const signal = AbortSignal.any([stopping.signal]);
  while (!signal.aborted) {
    try {
      for await (const { events, position, live } of feed.subscribe(
        { categories },
        reader.position,
        signal,
        passing(reader),
      )) {
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        reader.ids.push(...events.map(({ id }) => id));
        Object.assign(reader, { position, isLive: live });
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await clock.wait(50, signal);
    }
  }
}
