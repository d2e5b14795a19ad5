import type { RecordedEvent } from '../../../src/kernel/event';
import type { Document, Documents } from '../../../src/kernel/ports/documents';
import type { Projection } from '../../../src/kernel/projection';
import { readChanges, writeChanges } from '../../../projections/runner/document-changes';
import { mirrorWriter, StoredReadModels } from '../../../projections/runner/read-models';
import { books, closed, opened, PROJECTIONS, raised, tallies, Tallies } from './tallies';

let t: Tallies;
beforeEach(() => (t = new Tallies()));
afterEach(() => t.stopAll());

const stored = async (projection: Projection, id: string): Promise<Document | null> =>
  (await t.documents.open(projection)).get(id);

const history = (id: string): Promise<readonly RecordedEvent[]> => t.store.readStream(`test.tally-${id}`);

describe('reading by id', () => {
  it('reads what a command wrote, with no runner at all', async () => {
    await t.command('a', opened('ada'), raised(2));
    expect(await stored(tallies, 'a')).toStrictEqual({
      id: 'a',
      version: 1,
      body: { owner: 'ada', sum: 2, raises: 1 },
    });
    expect(await t.readModels.get(tallies, 'test', 'a')).toStrictEqual(await stored(tallies, 'a'));
  });

  it('reads what was appended and not yet written to any document', async () => {
    await t.append('a', opened('ada'), raised(2));
    expect(await stored(tallies, 'a')).toBeNull();
    expect(await t.readModels.get(tallies, 'test', 'a')).toStrictEqual({
      id: 'a',
      version: 1,
      body: { owner: 'ada', sum: 2, raises: 1 },
    });
  });

  it('reads on from the document where the stream is longer', async () => {
    await t.command('a', opened('ada'), raised(2));
    await t.append('a', raised(3), closed, raised(4));
    expect(await t.readModels.get(tallies, 'test', 'a')).toMatchObject({ version: 4, body: { sum: 9, raises: 3 } });
  });

  it('answers the document itself where what follows changes nothing', async () => {
    await t.command('a', opened('ada'));
    await t.append('a', closed);
    expect(await t.readModels.get(tallies, 'test', 'a')).toMatchObject({ version: 0, body: { sum: 0 } });
  });

  it('answers null where there is neither, and in another universe', async () => {
    await t.append('a', opened('ada'));
    expect(await t.readModels.get(tallies, 'test', 'b')).toBeNull();
    expect(await t.readModels.get(tallies, 'live', 'a')).toBeNull();
  });

  it('answers the stored document alone where the projection mirrors no stream', async () => {
    await t.append('a', opened('ada'), raised(2));
    expect(await t.readModels.get(books, 'test', 'book-a')).toBeNull();
    await t.caughtUp(t.runner());
    expect(await t.readModels.get(books, 'test', 'book-a')).toMatchObject({ body: { raises: 1 } });
  });

  it('reads one document and its own stream alone, whichever of the universes it is of', async () => {
    const told: Projection = { ...tallies, on: { ...tallies.on, TallyOpened: () => ({ mode: 'test', sum: 0 }) } };
    await t.append('a', opened('ada'));
    await mirrorWriter(t.documents, [told], t.log)('test.tally-a', await history('a'));
    await t.append('a', raised(2));
    const readModels = new StoredReadModels(t.documents, t.store, t.clock, [told]);
    const reads = jest.spyOn(t.store, 'readStream');
    expect(await readModels.get(told, ['live', 'test'], 'a')).toMatchObject({ version: 1, body: { sum: 2 } });
    expect(reads.mock.calls.map(([stream]) => stream)).toStrictEqual(['test.tally-a']);
    expect(await readModels.get(told, ['live'], 'a')).toBeNull();
    expect(await readModels.get(told, 'live', 'a')).toBeNull();
  });

  it('asks each stream of the id where nothing is written', async () => {
    await t.append('a', opened('ada'));
    expect(await t.readModels.get(tallies, ['live', 'test'], 'a')).toMatchObject({ version: 0 });
    expect(await t.readModels.get(tallies, ['live', 'test'], 'b')).toBeNull();
  });

  it('answers null for a document that the stream has removed since', async () => {
    const removing: Projection = { ...tallies, on: { ...tallies.on, TallyClosed: () => null } };
    await t.command('a', opened('ada'));
    await t.append('a', closed);
    expect(await stored(tallies, 'a')).not.toBeNull();
    const readModels = new StoredReadModels(t.documents, t.store, t.clock, [removing]);
    expect(await readModels.get(tallies, 'test', 'a')).toBeNull();
  });
});

describe('reading as it was last written', () => {
  it('answers the document, however long the stream has become, and reads no stream', async () => {
    await t.command('a', opened('ada'), raised(2));
    await t.append('a', raised(3));
    const reads = jest.spyOn(t.store, 'readStream');
    expect(await t.readModels.stored(tallies, ['test'], 'a')).toMatchObject({ version: 1, body: { sum: 2 } });
    expect(reads).not.toHaveBeenCalled();
  });

  it('answers the stream where nothing was written, and null where there is neither', async () => {
    await t.append('a', opened('ada'), raised(2));
    expect(await t.readModels.stored(tallies, ['live', 'test'], 'a')).toMatchObject({ version: 1, body: { sum: 2 } });
    expect(await t.readModels.stored(tallies, ['test', 'live'], 'b')).toBeNull();
  });

  it('answers the document of any of the universes, and null in another one', async () => {
    const told: Projection = { ...tallies, on: { TallyOpened: () => ({ mode: 'test' }) } };
    await t.append('a', opened('ada'));
    await mirrorWriter(t.documents, [told], t.log)('test.tally-a', await history('a'));
    const readModels = new StoredReadModels(t.documents, t.store, t.clock, [told]);
    expect(await readModels.stored(told, ['live', 'test'], 'a')).toMatchObject({ body: { mode: 'test' } });
    expect(await readModels.stored(told, ['live'], 'a')).toBeNull();
  });
});

describe('lists', () => {
  it('pages by a declared index', async () => {
    for (const id of ['a', 'b', 'c']) await t.command(id, opened(id === 'b' ? 'bob' : 'ada'));
    const query = { index: 'by_owner', equals: { owner: 'ada' }, limit: 1 };
    const first = await t.readModels.list(tallies, query);
    const second = await t.readModels.list(tallies, { ...query, after: { id: 'a' } });
    expect([...first, ...second].map(({ id }) => id)).toStrictEqual(['a', 'c']);
  });
});

describe('writing mirrors', () => {
  it('never writes an older document over a newer one, in whatever order histories and runner come', async () => {
    await t.append('a', opened('ada'), raised(1), raised(2), raised(3));
    const events = await history('a');
    const write = mirrorWriter(t.documents, PROJECTIONS, t.log);
    const orders = [
      [4, 1, 3, 2],
      [1, 4, 2],
      [2, 3, 1, 4],
    ];
    for (const order of orders) {
      await (await t.documents.open(tallies)).deleteUpTo('a', Infinity);
      await Promise.all(order.map(length => write('test.tally-a', events.slice(0, length))));
      expect(await stored(tallies, 'a')).toMatchObject({ version: 3, body: { sum: 6, raises: 3 } });
    }
    const runner = t.runner();
    await Promise.all([t.caughtUp(runner), ...[3, 1, 2].map(length => write('test.tally-a', events.slice(0, length)))]);
    await runner.stop();
    await write('test.tally-a', events.slice(0, 2));
    expect(await stored(tallies, 'a')).toMatchObject({ version: 3, body: { sum: 6, raises: 3 } });
  });

  it('leaves alone what is of another category, or of many streams', async () => {
    await t.command('a', opened('ada'), raised(1));
    const [first] = await history('a');
    await mirrorWriter(
      t.documents,
      PROJECTIONS,
      t.log,
    )('test.other-z', [{ ...(first as RecordedEvent), stream: 'test.other-z' }]);
    expect(await stored(tallies, 'z')).toBeNull();
    expect(await stored(books, 'book-a')).toBeNull();
  });

  it('does not bring back what a later command has removed', async () => {
    const removing: Projection = { ...tallies, on: { ...tallies.on, TallyClosed: () => null } };
    await t.append('a', opened('ada'), raised(1), closed);
    const events = await history('a');
    const write = mirrorWriter(t.documents, [removing], t.log);
    await write('test.tally-a', events.slice(0, 2));
    await write('test.tally-a', events);
    expect(await stored(removing, 'a')).toBeNull();
    await write('test.tally-a', events.slice(0, 2));
    expect(await stored(removing, 'a')).toBeNull();
  });

  it('removes again what a slower process has put back', async () => {
    const removing: Projection = { ...tallies, on: { ...tallies.on, TallyClosed: () => null } };
    await t.append('a', opened('ada'), raised(1), closed);
    const events = await history('a');
    const [write, slower] = [1, 2].map(() => mirrorWriter(t.documents, [removing], t.log));
    await write?.('test.tally-a', events);
    await slower?.('test.tally-a', events.slice(0, 2));
    expect(await stored(removing, 'a')).not.toBeNull();
    await write?.('test.tally-a', events);
    expect(await stored(removing, 'a')).toBeNull();
  });

  it('never removes a document that came after the removal', async () => {
    const removing: Projection = { ...tallies, on: { ...tallies.on, TallyClosed: () => null } };
    await t.append('a', opened('ada'), closed, opened('bob'));
    const events = await history('a');
    const [write, slower] = [1, 2].map(() => mirrorWriter(t.documents, [removing], t.log));
    await write?.('test.tally-a', events);
    await slower?.('test.tally-a', events.slice(0, 2));
    expect(await stored(removing, 'a')).toMatchObject({ version: 2, body: { owner: 'bob' } });
  });

  it('and runner: a command that comes between the runner’s reading and its removal keeps its document', async () => {
    const removing: Projection = { ...tallies, on: { ...tallies.on, TallyClosed: () => null } };
    await t.append('a', opened('ada'), raised(1), closed, opened('bob'));
    const events = await history('a');
    const write = mirrorWriter(t.documents, [removing], t.log);
    await write('test.tally-a', events.slice(0, 2));
    const collection = await t.documents.open(removing);
    const changes = await readChanges(removing, collection, events.slice(0, 3));
    expect(changes).toMatchObject([{ id: 'a', body: null }]);
    await write('test.tally-a', events);
    await writeChanges(collection, changes);
    expect(await stored(removing, 'a')).toMatchObject({ version: 3, body: { owner: 'bob' } });
  });

  it('lets the command succeed when the documents are away, says so, and is right when read by id', async () => {
    const away: Documents = {
      open: () => Promise.reject(new Error('connection refused')),
      switch: () => Promise.reject(new Error('connection refused')),
      drop: () => Promise.reject(new Error('connection refused')),
      close: () => Promise.resolve(),
    };
    await t.write('a', [opened('ada')], mirrorWriter(away, PROJECTIONS, t.log));
    expect(t.log.lines).toMatchObject([
      {
        level: 'warn',
        message: 'a mirror was left to the runner',
        facts: { projection: 'tallies', stream: 'test.tally-a' },
      },
    ]);
    expect(await t.readModels.get(tallies, 'test', 'a')).toMatchObject({ version: 0 });
  });

  it('opens its collection again after a failure', async () => {
    let failures = 1;
    const shaky: Documents = {
      open: spec => (failures-- > 0 ? Promise.reject(new Error('not yet')) : t.documents.open(spec)),
      switch: (building, live) => t.documents.switch(building, live),
      drop: name => t.documents.drop(name),
      close: () => t.documents.close(),
    };
    const write = mirrorWriter(shaky, PROJECTIONS, t.log);
    await t.write('a', [opened('ada')], write);
    expect(await stored(tallies, 'a')).toBeNull();
    await t.write('a', [raised(1)], write);
    expect(await stored(tallies, 'a')).toMatchObject({ version: 1, body: { sum: 1 } });
  });
});
