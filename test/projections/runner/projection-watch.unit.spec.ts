import { StoreUnavailable, type EventStore } from '../../../src/kernel/ports/event-store';
import { lagOf } from '../../../projections/runner/lag';
import { ProjectionWatch, STALLED_AFTER_MS } from '../../../projections/runner/projection-watch';
import { books, closed, opened, raised, tallies, Tallies } from './tallies';

let t: Tallies;
let watch: ProjectionWatch;
let watching: AbortController;
beforeEach(() => (t = new Tallies()));
afterEach(async () => {
  watching?.abort();
  await t.stopAll();
});

function begin(store: EventStore = t.store): void {
  watching = new AbortController();
  watch = new ProjectionWatch({ ...t.parts, store, projections: [tallies, books] });
  void watch.run(watching.signal);
}

/** Time passes in steps: each look has its turn. */
async function pass(ms: number): Promise<void> {
  const until = t.clock.now() + ms;
  await t.clock.passUntil('the time has passed', () => t.clock.now() >= until);
}

describe('watching projections', () => {
  it('finds those stalled that make no progress though the log is ahead of them, and says so once', async () => {
    await t.append('a', opened('ada'), raised(2));
    const runner = t.runner([tallies, books]);
    await t.caughtUp(runner, [tallies, books]);
    await runner.stop();
    begin();
    await pass(2 * STALLED_AFTER_MS);
    expect(watch.stalled).toStrictEqual([]);

    t.runner([tallies]);
    t.runner([books], { store: neverGiving(t.store) });
    await t.append('a', raised(3));
    await pass(STALLED_AFTER_MS - 10_000);
    expect(watch.stalled).toStrictEqual([]);
    await pass(60_000);
    expect(watch.stalled).toStrictEqual(['books']);
    const said = t.log.lines.filter(({ message }) => message.includes('stands still'));
    expect(said).toHaveLength(1);
  });

  it('takes nobody for stalled whose checkpoint moves, however far behind it is', async () => {
    await t.append('a', opened('ada'), raised(2));
    const runner = t.runner([tallies, books]);
    begin();
    for (let round = 0; round < 12; round++) {
      await t.append('a', raised(1));
      await t.caughtUp(runner, [tallies, books]);
      await pass(STALLED_AFTER_MS / 3);
      expect(watch.stalled).toStrictEqual([]);
    }
  });

  it('finds it going again once it has moved', async () => {
    await t.append('a', opened('ada'), raised(2));
    begin();
    await pass(2 * STALLED_AFTER_MS);
    expect(watch.stalled).toStrictEqual(['tallies', 'books']);
    await t.caughtUp(t.runner([tallies, books]), [tallies, books]);
    await pass(10_000);
    expect(watch.stalled).toStrictEqual([]);
  });

  it('remembers over looks that fail how long a projection has stood still, and counts no time of theirs', async () => {
    await t.append('a', opened('ada'));
    let isAway = false;
    const lastPosition = () => (isAway ? Promise.reject(new StoreUnavailable('gone')) : t.store.lastPosition());
    begin(Object.assign(Object.create(t.store) as EventStore, { lastPosition }));
    await pass(STALLED_AFTER_MS - 10_000);
    isAway = true;
    await pass(2 * STALLED_AFTER_MS);
    isAway = false;
    expect(watch.stalled).toStrictEqual([]);
    await pass(20_000);
    expect(watch.stalled).toStrictEqual(['tallies', 'books']);
    isAway = true;
    await pass(20_000);
    expect(watch.stalled).toStrictEqual(['tallies', 'books']);
    isAway = false;
    await pass(20_000);
    expect(t.log.lines.filter(({ message }) => message.includes('stands still'))).toHaveLength(2);
  });

  it('says nothing of projections while the log cannot be asked', async () => {
    await t.append('a', opened('ada'));
    let isAway = false;
    const lastPosition = () => (isAway ? Promise.reject(new StoreUnavailable('gone')) : t.store.lastPosition());
    begin(Object.assign(Object.create(t.store) as EventStore, { lastPosition }));
    await pass(STALLED_AFTER_MS / 2);
    isAway = true;
    await pass(STALLED_AFTER_MS);
    expect(watch.stalled).toStrictEqual([]);
  });
});

describe('lag', () => {
  it('is the age of the oldest event that a projection takes and has not got', async () => {
    await t.append('a', opened('ada'));
    const after = await t.store.lastPosition();
    await t.append('a', raised(2));
    t.clock.step(4_000);
    await t.append('b', opened('bob'));
    await t.append('a', raised(1));
    t.clock.step(3_000);
    expect(await lagOf(t.parts, books, after)).toBe(7_000);
    expect(await lagOf(t.parts, tallies, after)).toBe(7_000);
  });

  it('is nothing where what has come is none of a projection’s, or where it has all', async () => {
    await t.append('a', opened('ada'), raised(2));
    const after = await t.store.lastPosition();
    expect(await lagOf(t.parts, tallies, after)).toBe(0);
    await t.append('a', closed);
    t.clock.step(60_000);
    expect(await lagOf(t.parts, books, after)).toBe(0);
  });

  it('is not known where the log gives no answer in time', async () => {
    await t.append('a', opened('ada'));
    let lag: number | null | undefined;
    void lagOf({ ...t.parts, store: neverGiving(t.store) }, tallies, await t.store.lastPosition()).then(found => {
      lag = found;
    });
    await t.clock.passUntil('the search was given up', () => lag !== undefined);
    expect(lag).toBeNull();
  });
});

/** The store whose subscriptions stay empty until they are left, as where a server refuses a position for ever. */
function neverGiving(store: EventStore): EventStore {
  const subscribe: EventStore['subscribe'] = (_filter, _after, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
        return { done: true, value: undefined };
      },
    }),
  });
  return Object.assign(Object.create(store) as EventStore, { subscribe });
}
