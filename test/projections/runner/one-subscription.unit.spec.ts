import { setImmediate as nextTurn } from 'node:timers/promises';
import { ALL_PROJECTIONS } from '../../../projections/all';
import { QUEUED_EVENTS_LIMIT } from '../../../projections/runner/feed-seat';
import type { Documents } from '../../../src/kernel/ports/documents';
import type { EventStore } from '../../../src/kernel/ports/event-store';
import { streamId, type Projection } from '../../../src/kernel/projection';
import { upcastingStore } from '../../../src/kernel/upcasting';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { eventually, Gate, HurriedClock, metadata, newEvent, uniqueStream } from '../../contracts/contract-support';
import { FakeServer } from '../../platform/eventstoredb/fake-server';
import { MemoryDocuments } from '../../support/memory-documents';
import { SubscriptionCount } from './subscription-count';
import { books, opened, openTallies, PROJECTIONS, raised, tallies, Tallies } from './tallies';
import { allDocuments } from './watched-store';

/** Work that needs no time is done in so many turns. */
const TURNS = 100;

let t: Tallies;
let count: SubscriptionCount;
beforeEach(() => {
  t = new Tallies();
  count = new SubscriptionCount(t.store);
});
afterEach(() => t.stopAll());

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

describe('the read models of a process', () => {
  it('hold one subscription to the log, all of the product’s together', async () => {
    await t.append('a', opened('ada'), raised(2));
    await t.caughtUp(t.runner(ALL_PROJECTIONS, { store: count.store }), ALL_PROJECTIONS);
    await turns();
    expect(count.open).toBe(1);
  });

  it('are given an event once', async () => {
    const runner = t.runner(PROJECTIONS, { store: count.store });
    await t.append('a', opened('ada'));
    await t.caughtUp(runner);
    await turns();
    count.given = 0;
    await t.append('a', raised(2));
    await t.caughtUp(runner);
    expect(count.given).toBe(1);
    expect(await allDocuments(t.documents, tallies)).toMatchObject([{ version: 1, body: { sum: 2 } }]);
    expect(await allDocuments(t.documents, books)).toMatchObject([{ body: { raises: 1 } }]);
  });

  it('hold one subscription again after a restart and a rebuild', async () => {
    await t.append('a', opened('ada'), raised(2));
    const first = t.runner(PROJECTIONS);
    await t.caughtUp(first);
    await first.stop();
    await t.append('b', opened('bob'));
    const newer: readonly Projection[] = [{ ...tallies, version: 2 }, books, openTallies];
    await t.caughtUp(t.runner(newer, { store: count.store }), newer);
    await turns();
    expect(count.open).toBe(1);
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['a', 'b']);
  });

  it('hold one subscription of an EventStoreDB', async () => {
    const server = new FakeServer();
    const store = new EventStoreDbStore(server.connect, new HurriedClock(10));
    const beside = new Tallies({ store, documents: new MemoryDocuments() });
    await beside.append('a', opened('ada'), raised(2));
    const runner = beside.runner();
    await beside.caughtUp(runner);
    await eventually(async () => (await runner.status()).every(({ state }) => state === 'live'));
    await beside.append('a', raised(3));
    await beside.caughtUp(runner);
    await turns();
    const held = server.subscriptions.filter(({ destroyed }) => !destroyed).length;
    await beside.stopAll();
    await store.close();
    expect(held).toBe(1);
  });

  it('are shown as waiting while the log takes no subscription', async () => {
    let isAway = false;
    let cut = new AbortController();
    const subscribe: EventStore['subscribe'] = (filter, after, signal) => {
      if (isAway) throw new Error('away');
      return t.store.subscribe(filter, after, AbortSignal.any([signal, cut.signal]));
    };
    const runner = t.runner(PROJECTIONS, { store: Object.assign(Object.create(t.store) as EventStore, { subscribe }) });
    const states = async () => [...new Set((await runner.status()).map(({ state }) => state))];
    await t.append('a', opened('ada'));
    await t.caughtUp(runner);
    await t.clock.passUntil('all are live', async () => (await states()).join() === 'live');
    isAway = true;
    cut.abort();
    await turns();
    expect(await states()).toStrictEqual(['waiting']);
    isAway = false;
    cut = new AbortController();
    await t.clock.passUntil('all are live again', async () => (await states()).join() === 'live');
  });
});

describe('a read model that is slower than the others', () => {
  let gate: Gate;
  let slow: Documents;
  beforeEach(() => {
    gate = new Gate();
    slow = slowAt(books.name, t.documents, gate);
  });
  afterEach(() => gate.open());

  it('holds up none of them, leaves the subscription, and comes back with every event once', async () => {
    const runner = t.runner(PROJECTIONS, { store: count.store, documents: slow });
    await t.append('a', opened('ada'));
    await t.caughtUp(runner);
    const raises = QUEUED_EVENTS_LIMIT / 2 + 1;
    for (const id of ['b', 'c', 'd'])
      await t.append(id, opened('bob'), ...Array.from({ length: raises }, () => raised(1)));
    await t.caughtUp(runner, [tallies, openTallies]);
    expect(count.open).toBe(1);
    gate.open();
    await t.caughtUp(runner);
    await turns();
    expect(count.open).toBe(1);
    expect((await allDocuments(t.documents, books)).map(({ body }) => body.raises)).toStrictEqual(
      ['b', 'c', 'd'].map(() => raises),
    );
    expect(t.log.lines).toStrictEqual([]);
  });
});

describe('an event that nobody can read', () => {
  const others: Projection = {
    name: 'others',
    version: 1,
    categories: ['other'],
    mirrors: false,
    key: streamId,
    indexes: {},
    on: { OtherKept: () => ({ kept: true }) },
  };
  const unreadable = () =>
    t.store.append(uniqueStream('other'), 'no_stream', [
      { ...newEvent('OtherKept'), metadata: metadata({ schema: 2 }) },
    ]);

  it('stops the read models of its category, and holds up no other for long', async () => {
    const store = upcastingStore(count.store, {});
    const projections = [...PROJECTIONS, others];
    const runner = t.runner(projections, { store });
    await t.append('a', opened('ada'));
    await t.caughtUp(runner, projections);
    for (let round = 1; round <= 10; round++) {
      await unreadable();
      await t.append('a', raised(1));
      const head = await t.store.lastPosition();
      await t.clock.passUntil('the others have it', async () =>
        (await runner.status()).every(({ name, position }) => name === others.name || position === head),
      );
    }
    expect(runner.failed).toStrictEqual([others.name]);
    await turns();
    expect(count.open).toBe(1);
    expect(await allDocuments(t.documents, tallies)).toMatchObject([{ body: { sum: 10 } }]);
    expect(t.log.lines.filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(2);
  });
});

/** Documents of one collection are written once the gate is open. */
function slowAt(name: string, documents: Documents, gate: Gate): Documents {
  return {
    open: async spec => {
      const collection = await documents.open<never>(spec);
      if (spec.name !== name) return collection;
      const putAllNewer: typeof collection.putAllNewer = async batch => {
        await gate.opened;
        return collection.putAllNewer(batch);
      };
      return Object.assign(Object.create(collection) as typeof collection, { putAllNewer });
    },
    switch: (building, live) => documents.switch(building, live),
    drop: dropped => documents.drop(dropped),
    close: () => documents.close(),
  };
}
