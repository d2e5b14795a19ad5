import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedEvent } from '../../../src/kernel/event';
import { InvariantViolation } from '../../../src/kernel/invariant';
import {
  MAX_DELIVERIES,
  START_OF_LOG,
  StoreUnavailable,
  type GroupMessage,
} from '../../../src/kernel/ports/event-store';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { Bell } from '../../../src/platform/event-store/embedded/bell';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import {
  eventually,
  HurriedClock,
  ids,
  newEvent,
  newEvents,
  rejection,
  uniqueStream,
} from '../../contracts/contract-support';
import { paymentLife } from './payment-life';

jest.setTimeout(30_000);

const LIFE_BYTES_LIMIT = 24 * 1_024;

describe('the embedded event store', () => {
  let folder: string;
  let file: EmbeddedFile;
  let store: EmbeddedEventStore;
  let failures: { name: string; event: RecordedEvent; error: unknown }[];
  let others: { store: EmbeddedEventStore; file: EmbeddedFile }[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-log-'));
    failures = [];
    others = [];
    file = EmbeddedFile.open(folder, { role: 'service' });
    store = new EmbeddedEventStore(file, new HurriedClock(), (name, event, error) =>
      failures.push({ name, event, error }),
    );
  });
  afterEach(async () => {
    for (const opened of [...others, { store, file }]) {
      await opened.store.close();
      opened.file.close();
    }
    rmSync(folder, { recursive: true });
  });

  /** The log as a tool beside the service has it. */
  function openBeside(): EmbeddedEventStore {
    const beside = EmbeddedFile.open(folder, { role: 'tool' });
    const opened = { file: beside, store: new EmbeddedEventStore(beside, new HurriedClock()) };
    others.push(opened);
    return opened.store;
  }

  function consume(name: string, handler: (message: GroupMessage) => Promise<void>): () => Promise<void> {
    const stop = new AbortController();
    const consuming = store.consume(name, handler, { concurrency: 2, signal: stop.signal });
    return async () => {
      stop.abort();
      await consuming;
    };
  }

  it(`keeps a payment's whole life in ${LIFE_BYTES_LIMIT} bytes, indexes included`, async () => {
    const lives = 200;
    for (let life = 0; life < lives; life++) {
      const streams = paymentLife();
      expect(streams.flatMap(({ events }) => events)).toHaveLength(20);
      await Promise.all(streams.map(({ stream, events }) => store.append(stream, 'no_stream', events)));
    }
    file.database.exec('pragma wal_checkpoint(truncate)');
    expect(statSync(file.path).size / lives).toBeLessThan(LIFE_BYTES_LIMIT);
  });

  it('gives a payment back as it was', async () => {
    for (const { stream, events } of paymentLife()) {
      await store.append(stream, 'no_stream', events);
      const recorded = await store.readStream(stream);
      expect(recorded).toStrictEqual(
        events.map((event, revision) => ({ ...event, stream, revision, position: recorded[revision]?.position })),
      );
    }
  });

  it('hands out events that share nothing', async () => {
    const stream = uniqueStream();
    await store.append(stream, 'no_stream', newEvents(2));
    const [one, other] = (await store.readStream(stream)) as [RecordedEvent, RecordedEvent];
    (one.metadata.actor as { id: string }).id = 'changed';
    expect(other.metadata.actor.id).not.toBe('changed');
    expect((await store.readStream(stream))[0]?.metadata.actor.id).not.toBe('changed');
  });

  it('shows an auditor the whole log by plain SQL', async () => {
    const recorded: RecordedEvent[] = [];
    for (const { stream, events } of paymentLife()) {
      await store.append(stream, 'no_stream', events);
      recorded.push(...(await store.readStream(stream)));
    }
    const sql = 'select position, stream, revision, type, id, data, metadata from events order by position';
    const rows = file.statement(sql).all() as [number, string, number, string, string, string, string][];
    expect(
      rows.map(([position, stream, revision, type, id, data, metadata]) => {
        return {
          id,
          type,
          stream,
          revision,
          position,
          data: JSON.parse(data) as unknown,
          metadata: JSON.parse(metadata) as unknown,
        };
      }),
    ).toStrictEqual(recorded);
  });

  it('lets nobody change or delete an event, whatever the program', async () => {
    await store.append(uniqueStream(), 'no_stream', newEvents(1));
    expect(() => file.database.exec("update events set data = '{}'")).toThrow('never changes');
    expect(() => file.database.exec('delete from events')).toThrow('never deleted');
  });

  it.each<[string, (stream: string) => Promise<unknown>]>([
    ['no events', stream => store.append(stream, 'no_stream', [])],
    ['too many events', stream => store.append(stream, 'no_stream', newEvents(4_097))],
    [
      'too many bytes',
      stream => store.append(stream, 'no_stream', [newEvent('Kept', { text: 'x'.repeat(1_100_000) })]),
    ],
    ['a negative revision', stream => store.append(stream, -1, newEvents(1))],
    ['half a revision', stream => store.append(stream, 0.5, newEvents(1))],
    ['what is no stream', () => store.append('payment-1', 'no_stream', newEvents(1))],
    ['a read of nothing', stream => store.readStream(stream, { limit: 0 })],
    ['a read too long', stream => store.readStream(stream, { limit: 65_537 })],
    [
      'a group that is not there',
      () => store.consume('nobody', () => Promise.resolve(), { concurrency: 1, signal: AbortSignal.abort() }),
    ],
    ['the status of a group that is not there', () => store.groupStatus('nobody')],
    ['the replay of a group that is not there', () => store.replayParked('nobody')],
    ['the parked events of a group that is not there', () => store.parkedEvents('nobody', 1)],
    ['a group name', () => store.ensureGroup('No Name', { categories: [] })],
    [
      'no handlers',
      () => store.consume('nobody', () => Promise.resolve(), { concurrency: 0, signal: AbortSignal.abort() }),
    ],
  ])('refuses %s', async (_, ask) => {
    const stream = uniqueStream();
    expect(await rejection(ask(stream))).toBeInstanceOf(RangeError);
    expect(await store.readStream(stream)).toStrictEqual([]);
  });

  it('refuses an id that another stream has, and an id that is no UUID', async () => {
    const [event, stream] = [newEvent(), uniqueStream()];
    await store.append(uniqueStream(), 'no_stream', [event]);
    expect(await rejection(store.append(stream, 'no_stream', [newEvent(), event]))).toBeInstanceOf(InvariantViolation);
    expect(await rejection(store.append(stream, 'no_stream', [{ ...event, id: 'evt_1' }]))).toBeInstanceOf(TypeError);
    expect(await store.readStream(stream)).toStrictEqual([]);
  });

  it('gives a subscriber what another process appends', async () => {
    const seen: string[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const batch of store.subscribe({ categories: ['foreign'] }, START_OF_LOG, stop.signal)) {
        seen.push(...ids(batch.events));
      }
    })();
    const beside = openBeside();
    const expected: string[] = [];
    for (let round = 0; round < 3; round++) {
      // A type that this process has never seen.
      const event = newEvent(`Foreign${round}`, { [`round_${round}`]: round });
      await beside.append(`test.foreign-${randomUUID()}`, 'no_stream', [event]);
      expected.push(event.id);
      await eventually(() => seen.length === expected.length);
    }
    stop.abort();
    await following;
    expect(seen).toStrictEqual(expected);
  });

  it('tries again what a tool beside it replays', async () => {
    await store.ensureGroup('mending', { categories: ['broken'] });
    await store.append('test.broken-1', 'no_stream', newEvents(1));
    let handled = 0;
    let mended = false;
    const stop = consume('mending', () => {
      if (!mended) return Promise.reject(new Error('not mended'));
      handled++;
      return Promise.resolve();
    });
    await eventually(async () => (await store.groupStatus('mending')).parked === 1);
    mended = true;
    const beside = openBeside();
    expect(await beside.groupStatus('mending')).toMatchObject({ parked: 1 });
    expect(await beside.replayParked('mending')).toBe(1);
    await eventually(() => handled === 1);
    await stop();
    expect(await beside.groupStatus('mending')).toMatchObject({ parked: 0 });
  });

  it('tells of each failed delivery', async () => {
    await store.ensureGroup('failing', { categories: ['broken'] });
    const [event] = newEvents(1);
    await store.append('test.broken-1', 'no_stream', event ? [event] : []);
    const error = new Error('on purpose');
    const stop = consume('failing', () => Promise.reject(error));
    await eventually(() => failures.length === MAX_DELIVERIES);
    await stop();
    expect(new Set(failures.map(failure => failure.error))).toStrictEqual(new Set([error]));
    expect(failures[0]).toMatchObject({ name: 'failing', event: { id: event?.id, revision: 0 } });
  });

  it('keeps the checkpoint below what is not acknowledged', async () => {
    await store.ensureGroup('slow', { categories: ['slow'] });
    await store.append('test.slow-1', 'no_stream', newEvents(5));
    const positions = (await store.readStream('test.slow-1')).map(event => event.position);
    let release: () => void = () => undefined;
    let others = 0;
    const stop = consume('slow', ({ event }) => {
      if (event.revision === 1) return new Promise(resolve => (release = resolve));
      others++;
      return Promise.resolve();
    });
    await eventually(() => others === 4);
    expect((await store.groupStatus('slow')).lastPosition).toBeLessThan(positions[1] as number);
    release();
    await eventually(async () => (await store.groupStatus('slow')).lastPosition === positions[4]);
    await stop();
  });

  it('wakes as many consumers as there are messages, however many wait', async () => {
    await store.ensureGroup('waiting', { categories: ['kept'] });
    const waits = jest.spyOn(Bell.prototype, 'next');
    const waiting = new AbortController();
    const stream = uniqueStream('kept');
    let handled = 0;
    const consuming = store.consume('waiting', () => Promise.resolve(void handled++), {
      concurrency: 100,
      signal: waiting.signal,
    });
    await eventually(() => waits.mock.calls.length === 100);
    for (let revision = -1; revision < 4; revision++) {
      await store.append(stream, revision < 0 ? 'no_stream' : revision, newEvents(1));
      await eventually(() => handled === revision + 2);
    }
    // One reader handles each message, and waits again; now and then another one looks in vain.
    expect(waits.mock.calls.length).toBeLessThanOrEqual(100 + 2 * 5);
    waiting.abort();
    await consuming;
    waits.mockRestore();
  });

  it('begins as many messages at once as there are consumers', async () => {
    await store.ensureGroup('busy', { categories: ['kept'] });
    const working = new AbortController();
    const releases: (() => void)[] = [];
    const handler = () => new Promise<void>(resolve => releases.push(resolve));
    const consuming = store.consume('busy', handler, { concurrency: 8, signal: working.signal });
    await store.append(uniqueStream('kept'), 'no_stream', newEvents(10));
    await eventually(() => releases.length === 8);
    for (const release of releases.splice(0)) release();
    await eventually(() => releases.length === 2);
    for (const release of releases) release();
    working.abort();
    await consuming;
  });

  it('ends subscriptions and consumers when it closes, and refuses afterwards', async () => {
    await store.ensureGroup('closing', { categories: ['closing'] });
    const never = new AbortController().signal;
    const consuming = store.consume('closing', () => Promise.resolve(), { concurrency: 3, signal: never });
    const batches: unknown[] = [];
    const following = (async () => {
      for await (const batch of store.subscribe({ categories: ['kept'] }, START_OF_LOG, never)) batches.push(batch);
    })();
    await store.close();
    await Promise.all([consuming, following]);
    file.close();
    expect(await rejection(store.append(uniqueStream(), 'no_stream', newEvents(1)))).toBeInstanceOf(StoreUnavailable);
    expect(await rejection(store.readStream(uniqueStream()))).toBeInstanceOf(StoreUnavailable);
  });

  it('answers StoreUnavailable while the disk is full, writes nothing, and goes on by itself', async () => {
    const stream = uniqueStream();
    await store.append(stream, 'no_stream', newEvents(1));
    const [pages] = file.statement('pragma page_count').get() as [number];
    file.database.exec(`pragma max_page_count = ${pages}`);
    const big = newEvent('ContractKept', { note: 'x'.repeat(50_000) });
    expect(await rejection(store.append(stream, 0, [newEvent(), big]))).toBeInstanceOf(StoreUnavailable);
    expect(await store.readStream(stream)).toHaveLength(1);
    file.database.exec('pragma max_page_count = 1000000');
    expect(await store.append(stream, 0, [newEvent(), big])).toStrictEqual({ revision: 2 });
  });
});
