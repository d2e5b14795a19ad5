import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse } from '../../../src/vocabulary/errors';
import { StoreUnavailable, type EventStore } from '../../../src/kernel/ports/event-store';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { eventually, newEvents, uniqueStream } from '../../contracts/contract-support';
import { SteppedClock } from '../../projections/runner/stepped-clock';
import { FakeServer } from '../eventstoredb/fake-server';

/** The time that EventStoreDB's client gets to send its answers; shorter than any pause of a long outage. */
const FLUSH_MS = 100;

let clock: SteppedClock;
let folder: string;
let file: EmbeddedFile;

beforeEach(() => {
  clock = new SteppedClock();
  folder = mkdtempSync(join(tmpdir(), 'quittance-stop-'));
  file = EmbeddedFile.open(folder, { role: 'service' });
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

const engines: Readonly<Record<string, () => EventStore>> = {
  embedded: () => new EmbeddedEventStore(file, clock),
  eventstoredb: () => new EventStoreDbStore(new FakeServer().connect, clock),
};
const outages: Readonly<Record<string, () => Error>> = {
  'a store is': () => new StoreUnavailable('away'),
  'a provider is': () => refuse('provider_unavailable'),
};

describe.each(Object.keys(engines))('a consumer of %s', engine => {
  it.each(Object.keys(outages))('stops at once while %s away', async away => {
    const store = (engines[engine] as () => EventStore)();
    await store.ensureGroup('held', { categories: ['held'] });
    await store.append(uniqueStream('held'), 'no_stream', newEvents(3));
    const stop = new AbortController();
    let tries = 0;
    const handler = (): Promise<never> => {
      tries++;
      return Promise.reject((outages[away] as () => Error)());
    };
    let isOver = false;
    const consuming = store.consume('held', handler, { concurrency: 2, signal: stop.signal });
    const ended = consuming.then(() => (isOver = true));
    // Long enough for the pauses to have grown to their longest.
    for (const enough = clock.now() + 120_000; clock.now() < enough; clock.step(500)) {
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(tries).toBeGreaterThan(6);
    const before = tries;
    stop.abort();
    await new Promise(resolve => setTimeout(resolve, 0));
    clock.step(FLUSH_MS);
    await eventually(() => isOver);
    await ended;
    expect(tries).toBe(before);
    await store.close();
  });
});
