import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { START_OF_LOG, type EventFilter, type EventStore } from '../../../src/kernel/ports/event-store';
import type { Gathering, Projection } from '../../../src/kernel/projection';
import { refuseForeignDocuments } from '../../../projections/runner/checkpoint-proof';
import { Checkpoints, type CheckpointDocument } from '../../../projections/runner/checkpoints';
import { rebuildProjection } from '../../../projections/runner/rebuild';
import { MemoryEventStore } from '../../support/memory-event-store';
import { books, opened, PROJECTIONS, raised, tallies, Tallies, type BookDocument, type TallyEvent } from './tallies';
import { allDocuments, watched } from './watched-store';

let t: Tallies;
beforeEach(() => (t = new Tallies()));
afterEach(() => t.stopAll());

async function checkpoint(projection: Projection, at = t): Promise<CheckpointDocument | null> {
  return (await (await Checkpoints.open(at.documents, at.clock)).load(projection.name))?.body ?? null;
}

/** Leaves the checkpoint of a program that named no events. */
async function forgetEvent(projection: Projection): Promise<void> {
  const checkpoints = await Checkpoints.open(t.documents, t.clock);
  const standing = await checkpoints.load(projection.name);
  if (!standing) throw new Error(`${projection.name} has no checkpoint`);
  const { event_id: _id, restart_from: _from, log: _log, ...body } = standing.body;
  await checkpoints.save(projection.name, standing, body as CheckpointDocument);
}

/** Follows the log to its end and stops. */
async function followed(engines: { readonly store?: EventStore } = {}, projections = PROJECTIONS): Promise<void> {
  const runner = t.runner(projections, engines);
  await t.caughtUp(runner, projections);
  await runner.stop();
}

/** The same documents beside another log. */
function beside(store: EventStore): Tallies {
  const other = new Tallies({ store, documents: t.documents });
  const { stopAll } = t;
  t.stopAll = async () => {
    await other.stopAll();
    await stopAll.call(t);
  };
  return other;
}

/** A log that begins as the test's does and holds no more than so many of its events. */
async function cutAfter(streams: readonly string[]): Promise<MemoryEventStore> {
  const cut = new MemoryEventStore();
  for (const stream of streams) await cut.append(stream, 'no_stream', await t.store.readStream(stream));
  return cut;
}

describe('a restart', () => {
  it('goes on from where a subscription may begin, and reads nothing of what is further back', async () => {
    await t.append('a', opened('ada'), ...Array.from({ length: 2_599 }, () => raised(1)));
    await followed();
    const standing = await checkpoint(tallies);
    expect(standing).toMatchObject({ position: await t.store.lastPosition(), state: 'following' });
    await t.append('a', raised(3));

    const asked: LogPosition[] = [];
    const seen: RecordedEvent[] = [];
    const store = watched(t.store, batch => void seen.push(...batch.events));
    const { subscribe } = store;
    store.subscribe = (filter: EventFilter, after, signal) => {
      asked.push(after);
      return subscribe(filter, after, signal);
    };
    await followed({ store }, [tallies]);
    expect(asked).toStrictEqual([await t.store.lastPosition(), standing?.restart_from]);
    expect(2_600 - (seen[0]?.revision ?? 0)).toBeGreaterThanOrEqual(1_024);
    expect(2_600 - (seen[0]?.revision ?? 0)).toBeLessThan(2_200);
    expect(seen.at(-1)?.revision).toBe(2_600);
    expect((await allDocuments(t.documents, tallies))[0]).toMatchObject({ version: 2_600, body: { sum: 2_602 } });
  });

  it('keeps its distance behind the checkpoint however small the batches are', async () => {
    await t.append('a', opened('ada'));
    const runner = t.runner([tallies]);
    for (let round = 0; round < 1_300; round++) await t.append('a', raised(1));
    await t.caughtUp(runner, [tallies]);
    await runner.stop();
    const standing = await checkpoint(tallies);
    const events = await t.store.readStream('test.tally-a');
    const from = events.findIndex(({ position }) => position === standing?.restart_from);
    expect(events.length - 1 - from).toBeGreaterThanOrEqual(1_024);
    expect(from).toBeGreaterThan(0);
  });

  it('names in its checkpoint the last event that is covered, and the log', async () => {
    await t.append('a', opened('ada'), raised(2));
    await t.append('b', opened('bob'));
    await followed();
    const [first] = await t.store.readStream('test.tally-a');
    const [last] = await t.store.readStream('test.tally-b');
    // The last event is none that the books take.
    expect(await checkpoint(books)).toMatchObject({ position: last?.position, event_id: last?.id, log: first?.id });
  });
});

describe('a poison event', () => {
  const fragile: Gathering<BookDocument, TallyEvent> = {
    ...books,
    on: {
      TallyRaised: (doc, event, id) => {
        if (event.data.by === 13) throw new Error('cannot take 13');
        return books.on.TallyRaised?.(doc, event, id) ?? null;
      },
    },
  };

  it.each([
    ['in the middle of a batch', [raised(1), raised(13), raised(2)], 1],
    ['first of those that it takes', [raised(13), raised(2)], 0],
  ])('%s leaves the checkpoint at the last event handled, and the mended program goes on', async (_, raises, at) => {
    await t.append('a', opened('ada'), ...raises);
    const broken = t.runner([fragile]);
    await t.clock.passUntil('it has stopped', async () => (await checkpoint(books))?.state === 'failed');
    await broken.stop();
    const events = await t.store.readStream('test.tally-a');
    expect((await checkpoint(books))?.position).toBe(events[at]?.position);

    await followed({}, [books]);
    expect((await allDocuments(t.documents, books))[0]).toMatchObject({ body: { raises: raises.length } });
  });
});

describe('a log that is not the one that was followed', () => {
  beforeEach(async () => {
    await t.append('a', opened('ada'), raised(2));
    await t.append('b', opened('bob'), raised(5));
    await followed();
  });

  it('but the same one restored from before: the documents are made anew', async () => {
    const other = beside(await cutAfter(['test.tally-a']));
    await other.append('c', opened('cyd'));
    await other.caughtUp(other.runner());
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['a', 'c']);
    expect(other.log.lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toStrictEqual(
      PROJECTIONS.map(() => 'the log does not hold the event of a checkpoint'),
    );
    expect(await checkpoint(tallies)).toMatchObject({ generation: 2, state: 'following', version: 1 });
  });

  it('but the same one with other events at the same places: the documents are made anew', async () => {
    const other = beside(await cutAfter(['test.tally-a']));
    await other.append('x', opened('bob'), raised(7));
    expect(await other.store.lastPosition()).toBe(await t.store.lastPosition());
    await other.caughtUp(other.runner());
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['a', 'x']);
  });

  it('whose documents are being made anew by a process that is killed is not followed afterwards either', async () => {
    const other = beside(await cutAfter(['test.tally-a']));
    await new Promise<void>(killed => {
      const store = watched(other.store, () => new Promise(() => killed()));
      void rebuildProjection({ ...other.parts, store, projection: tallies });
    });
    expect(await checkpoint(tallies)).toMatchObject({ version: 0, position: START_OF_LOG });
    other.clock.step(5_000);
    await other.caughtUp(other.runner([tallies]), [tallies]);
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['a']);
  });

  it('but another one stops a projection loudly and leaves its documents, and a rebuild sets it going', async () => {
    const other = beside(new MemoryEventStore());
    await other.append('z', opened('zoe'));
    const runner = other.runner([tallies]);
    await other.clock.passUntil('it has stopped', () => runner.failed.length === 1);
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['a', 'b']);
    expect((await checkpoint(tallies))?.error).toContain('were made from another event log');
    await rebuildProjection({ ...other.parts, projection: tallies });
    await other.clock.passUntil('it goes on', () => runner.failed.length === 0);
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['z']);
  });

  it.each([
    [
      'another one',
      async (store: MemoryEventStore) =>
        void (await new Tallies({ store, documents: t.documents }).append('z', opened('zoe'))),
      'begins with event',
    ],
    ['an empty one', () => Promise.resolve(), 'is empty'],
  ])('but %s lets no process start', async (_, fill, said) => {
    const store = new MemoryEventStore();
    await fill(store);
    const refused = refuseForeignDocuments({ ...t.parts, store }, PROJECTIONS);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_config', message: expect.stringContaining(said) });
    await expect(refuseForeignDocuments(t.parts, PROJECTIONS)).resolves.toBeUndefined();
  });

  it('by a checkpoint that names neither event nor log is made anew', async () => {
    await forgetEvent(tallies);
    const collection = await t.documents.open(tallies);
    await collection.deleteUpTo('a', Infinity);
    await t.caughtUp(t.runner([tallies]), [tallies]);
    expect((await allDocuments(t.documents, tallies)).map(({ id }) => id)).toStrictEqual(['a', 'b']);
    await expect(refuseForeignDocuments(t.parts, PROJECTIONS)).resolves.toBeUndefined();
  });
});
