import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import type { Document, Documents } from '../../../src/kernel/ports/documents';
import { START_OF_LOG, StoreUnavailable } from '../../../src/kernel/ports/event-store';
import type { Gathering, Mirror, Projection } from '../../../src/kernel/projection';
import { Checkpoints, NOTHING_COVERED } from '../../../projections/runner/checkpoints';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import {
  books,
  closed,
  opened,
  openTallies,
  PROJECTIONS,
  raised,
  tallies,
  Tallies,
  type BookDocument,
  type TallyDocument,
  type TallyEvent,
} from './tallies';
import { allDocuments, batchesTwice, eachTwice, watched } from './watched-store';

let t: Tallies;
beforeEach(() => (t = new Tallies()));
afterEach(() => t.stopAll());

const documentsOf = (projection: Projection, documents = t.documents): Promise<Document[]> =>
  allDocuments(documents, projection);

async function document(projection: Projection, id: string): Promise<Document | null> {
  return (await t.documents.open(collectionSpec(projection))).get(id);
}

async function checkpoint(projection: Projection) {
  return (await (await Checkpoints.open(t.documents, t.clock)).load(projection.name))?.body ?? null;
}

describe('following the log', () => {
  it('catches up with what was there before it started', async () => {
    await t.append('a', opened('ada'), raised(2), raised(3));
    await t.append('b', opened('bob'));
    await t.caughtUp(t.runner());
    const [, , last] = await t.store.readStream('test.tally-a');
    expect(await documentsOf(tallies)).toStrictEqual([
      { id: 'a', version: 2, body: { owner: 'ada', sum: 5, raises: 2 } },
      { id: 'b', version: 0, body: { owner: 'bob', sum: 0, raises: 0 } },
    ]);
    expect(await documentsOf(books)).toStrictEqual([
      { id: 'book-a', version: last?.position, body: { raises: 2, last: 'test.tally-a' } },
    ]);
  });

  it('follows live, and removes documents', async () => {
    const runner = t.runner();
    await t.append('a', opened('ada'));
    await t.caughtUp(runner);
    expect(await documentsOf(openTallies)).toHaveLength(1);
    await t.append('a', closed);
    await t.caughtUp(runner);
    expect(await documentsOf(openTallies)).toStrictEqual([]);
    expect((await runner.status()).map(({ name, lagMs, state }) => ({ name, lagMs, state }))).toStrictEqual([
      { name: 'tallies', lagMs: 0, state: 'live' },
      { name: 'books', lagMs: 0, state: 'live' },
      { name: 'open_tallies', lagMs: 0, state: 'live' },
    ]);
  });

  it('takes a stream of another category for no mirror of its own, though the type has the same name', async () => {
    await t.append('a', opened('ada'));
    const [event] = await t.store.readStream('test.tally-a');
    const { id, type, data, metadata } = event as RecordedEvent;
    await t.store.append('test.other-z', 'no_stream', [{ id: `${id}-z`, type, data, metadata }]);
    await t.caughtUp(t.runner());
    expect((await documentsOf(tallies)).map(found => found.id)).toStrictEqual(['a']);
  });

  it('removes once more what a slower runner had put back before it was killed', async () => {
    await t.append('a', opened('ada'));
    const runner = t.runner();
    await t.caughtUp(runner);
    const collection = await t.documents.open(collectionSpec(openTallies));
    const [removed] = await documentsOf(openTallies);
    await t.append('a', closed);
    await t.caughtUp(runner);
    await runner.stop();
    await collection.putAllNewer(removed ? [removed] : []);
    expect(await documentsOf(openTallies)).toHaveLength(1);
    await t.caughtUp(t.runner());
    expect(await documentsOf(openTallies)).toStrictEqual([]);
  });

  it('writes its checkpoint while it runs, a second later', async () => {
    const runner = t.runner();
    await t.append('a', opened('ada'));
    await t.caughtUp(runner);
    const head = await t.store.lastPosition();
    await t.clock.passUntil('the checkpoint is written', async () => (await checkpoint(tallies))?.position === head);
  });

  it('gives the same documents when every event is delivered twice, and when whole batches come again', async () => {
    await t.append('a', opened('ada'), raised(2), raised(3));
    await t.append('b', opened('bob'), raised(1), closed);
    await t.caughtUp(t.runner());
    const once = await Promise.all(PROJECTIONS.map(projection => documentsOf(projection)));
    await t.stopAll();

    for (const repeat of [eachTwice, batchesTwice]) {
      const other = new Tallies({
        store: watched(t.store, () => undefined, repeat),
        documents: new Tallies().documents,
      });
      const runner = other.runner();
      await other.caughtUp(runner);
      const twice = await Promise.all(PROJECTIONS.map(projection => documentsOf(projection, other.documents)));
      await other.stopAll();
      expect(twice).toStrictEqual(once);
    }
    expect(once[0]).toHaveLength(2);
  });

  it('counts nothing twice when it died after the documents and before the checkpoint', async () => {
    await t.append('a', opened('ada'), raised(2), raised(3));
    const runner = t.runner();
    await t.caughtUp(runner);
    await runner.stop();
    const checkpoints = await Checkpoints.open(t.documents, t.clock);
    for (const { name } of PROJECTIONS) {
      const standing = await checkpoints.load(name);
      if (!standing) throw new Error(`${name} has no checkpoint`);
      await checkpoints.save(name, standing, { ...standing.body, ...NOTHING_COVERED });
    }
    await t.caughtUp(t.runner());
    expect(await document(tallies, 'a')).toMatchObject({ body: { sum: 5, raises: 2 } });
    expect(await document(books, 'book-a')).toMatchObject({ body: { raises: 2 } });
  });
});

describe('engines that are away', () => {
  it('comes back by itself after the store was away', async () => {
    let failures = 5;
    const store = watched(t.store, () => {
      if (failures-- > 0) throw new StoreUnavailable('gone');
    });
    await t.append('a', opened('ada'));
    const head = await t.store.lastPosition();
    t.runner([tallies], { store });
    await t.clock.passUntil('it has caught up', async () => (await checkpoint(tallies))?.position === head);
    expect(t.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(5);
    expect(await document(tallies, 'a')).toMatchObject({ version: 0 });
  });

  it('comes back by itself after the documents were away, and loses no event', async () => {
    let failures = 3;
    const documents: Documents = {
      open: async spec => {
        const collection = await t.documents.open<never>(spec);
        if (spec.name !== 'tallies') return collection;
        const putAllNewer: typeof collection.putAllNewer = batch =>
          failures-- > 0 ? Promise.reject(new Error('connection reset')) : collection.putAllNewer(batch);
        return Object.assign(Object.create(collection) as typeof collection, { putAllNewer });
      },
      switch: (building, live) => t.documents.switch(building, live),
      drop: name => t.documents.drop(name),
      close: () => t.documents.close(),
    };
    await t.append('a', opened('ada'), raised(4));
    const head = await t.store.lastPosition();
    const runner = t.runner([tallies], { documents });
    await t.clock.passUntil('it has caught up', async () => (await runner.status())[0]?.position === head);
    expect(await document(tallies, 'a')).toMatchObject({ version: 1, body: { sum: 4 } });
  });
});

describe('a poison event', () => {
  const fragile: Gathering<BookDocument, TallyEvent> = {
    ...books,
    name: 'fragile',
    on: {
      TallyRaised: (doc, event, id) => {
        if (event.data.by === 13) throw new Error('cannot take 13');
        return books.on.TallyRaised?.(doc, event, id) ?? null;
      },
    },
  };

  it('stops that projection loudly, at that event, and no other', async () => {
    await t.append('a', opened('ada'), raised(1), raised(13), raised(2));
    const runner = t.runner([fragile, tallies]);
    await t.caughtUp(runner, [tallies]);
    await t.clock.passUntil('it has stopped', async () => (await checkpoint(fragile))?.state === 'failed');
    expect(runner.failed).toStrictEqual(['fragile']);
    expect(await document(tallies, 'a')).toMatchObject({ body: { sum: 16 } });
    const said = t.log.lines.filter(({ level }) => level === 'error');
    expect(said.map(({ message }) => message)).toStrictEqual(['a projection has stopped']);
    const [, before, , last] = await t.store.readStream('test.tally-a');
    expect(await document(fragile, 'book-a')).toMatchObject({ version: before?.position, body: { raises: 1 } });
    expect(await checkpoint(fragile)).toMatchObject({
      position: before?.position,
      event_id: before?.id,
      error: expect.stringContaining('test.tally-a#2'),
    });
    await expect(runner.waitFor('fragile', last?.position ?? START_OF_LOG, 1_000)).rejects.toThrow('cannot take 13');
  });

  it('is tried again when the program is started again, mended', async () => {
    await t.append('a', opened('ada'), raised(1), raised(13), raised(2));
    const broken = t.runner([fragile]);
    await t.clock.passUntil('it has stopped', () => broken.failed.length > 0);
    await broken.stop();
    const mended = { ...fragile, on: books.on };
    const runner = t.runner([mended]);
    await t.caughtUp(runner, [mended]);
    expect(runner.failed).toStrictEqual([]);
    expect(await document(fragile, 'book-a')).toMatchObject({ body: { raises: 3 } });
  });
});

describe('waiting for a position', () => {
  const LATER = 10_000 as LogPosition;

  it('rejects after the time it was given', async () => {
    const runner = t.runner();
    const waiting = expect(runner.waitFor('tallies', LATER, 500)).rejects.toThrow(`not yet at ${LATER}`);
    t.clock.step(500);
    await waiting;
  });

  it('rejects when the runner stops', async () => {
    const runner = t.runner();
    const waiting = expect(runner.waitFor('tallies', LATER, 500)).rejects.toThrow('tallies has stopped');
    await runner.stop();
    await waiting;
  });
});

describe('a projection of a new version', () => {
  const doubled: Mirror<TallyDocument, TallyEvent> = {
    ...tallies,
    version: 2,
    on: {
      ...tallies.on,
      TallyRaised: (doc, { data }) => doc && { ...doc, sum: doc.sum + 2 * data.by, raises: -1 },
    },
  };

  it('is rebuilt aside and switched', async () => {
    await t.append('a', opened('ada'), raised(2), raised(3));
    const first = t.runner([tallies]);
    await t.caughtUp(first, [tallies]);
    await first.stop();
    await t.append('a', raised(1));
    const second = t.runner([doubled]);
    await t.caughtUp(second, [doubled]);
    expect(await documentsOf(doubled)).toStrictEqual([
      { id: 'a', version: 3, body: { owner: 'ada', sum: 12, raises: -1 } },
    ]);
    expect(await checkpoint(tallies)).toMatchObject({ version: 2, generation: 1, state: 'following' });
  });

  it('makes a runner of the old version step back, and not rebuild in turn', async () => {
    await t.append('a', opened('ada'), raised(2));
    const old = t.runner([tallies]);
    await t.caughtUp(old, [tallies]);
    const young = t.runner([doubled]);
    await t.caughtUp(young, [doubled]);
    await t.clock.passUntil('it has stepped back', async () => (await old.status())[0]?.state === 'superseded');
    await t.append('a', raised(1));
    await t.caughtUp(young, [doubled]);
    expect(await document(doubled, 'a')).toMatchObject({ version: 2, body: { sum: 6 } });
    expect(await checkpoint(tallies)).toMatchObject({ version: 2, generation: 1 });
  });
});
