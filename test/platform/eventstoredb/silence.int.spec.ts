import { setImmediate as nextTurn } from 'node:timers/promises';
import { SECOND_MS } from '../../../src/kernel/clock';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { newEvents, uniqueStream } from '../../contracts/contract-support';
import { SteppedClock } from '../../projections/runner/stepped-clock';
import { FakeServer } from './fake-server';

/** Work that needs no time is done in so many turns. */
const TURNS = 40;

describe('a subscription that is told nothing though the log goes on', () => {
  const clock = new SteppedClock();
  let server: FakeServer;
  let store: EventStoreDbStore;
  let told: unknown[];
  let stopping: AbortController;
  let seen: number;

  beforeEach(async () => {
    server = new FakeServer();
    told = [];
    seen = 0;
    store = new EventStoreDbStore(server.connect, clock, { onDrop: (name, error) => told.push([name, error]) });
    stopping = new AbortController();
    await append();
  });
  afterEach(async () => {
    stopping.abort();
    await store.close();
  });

  async function append(): Promise<void> {
    await store.append(uniqueStream('kept'), 'no_stream', newEvents(1));
  }

  function follow(): void {
    void (async () => {
      const batches = store.subscribe({ categories: ['kept'] }, START_OF_LOG, stopping.signal);
      for await (const { events } of batches) seen += events.length;
    })();
  }

  async function turns(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  }

  async function pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed++) {
      clock.step(SECOND_MS);
      await turns();
    }
  }

  /** Seconds from one subscription to the next. */
  async function asked(times: number): Promise<readonly number[]> {
    const pauses: number[] = [];
    while (pauses.length < times) {
      const { length } = server.subscriptions;
      const sinceMs = clock.now();
      while (server.subscriptions.length === length) await pass(1);
      pauses.push((clock.now() - sinceMs) / SECOND_MS);
    }
    return pauses;
  }

  it('is made anew less and less often, and as at first once anything has come', async () => {
    server.isSilent = true;
    follow();
    await turns();
    expect(await asked(6)).toStrictEqual([4, 8, 16, 32, 64, 64]);
    server.isSilent = false;
    await pass(64);
    expect(seen).toBe(1);
    server.isSilent = true;
    server.subscriptions.at(-1)?.letGo();
    await append();
    await asked(1);
    expect(await asked(3)).toStrictEqual([4, 8, 16]);
  });

  it('is noticed as soon after long and lively work as at first', async () => {
    follow();
    for (let count = 2; count <= 60; count++) {
      await pass(3);
      await append();
    }
    await turns();
    expect(seen).toBe(60);
    server.subscriptions.at(-1)?.fallSilent();
    await append();
    const [pause] = await asked(1);
    // The subscription falls silent in the middle of one time of waiting, and the whole of the next one tells.
    expect(pause).toBeLessThanOrEqual(4 + 8);
    await turns();
    expect(seen).toBe(61);
  });

  it('is told of, each time that it is made anew', async () => {
    server.isSilent = true;
    follow();
    await turns();
    await asked(2);
    expect(told).toMatchObject(
      [4, 8].map(seconds => ['$all of kept', { message: expect.stringContaining(`${seconds}000 ms`) }]),
    );
  });
});
