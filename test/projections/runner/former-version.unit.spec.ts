import { Checkpoints } from '../../../projections/runner/checkpoints';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { rebuildProjection } from '../../../projections/runner/rebuild';
import type { Documents } from '../../../src/kernel/ports/documents';
import type { Document } from '../../../src/kernel/ports/documents';
import { ReadModelBeingBuilt } from '../../../src/kernel/ports/read-models';
import type { Projection } from '../../../src/kernel/projection';
import { books, opened, raised, tallies, Tallies } from './tallies';

/** The same read models as a newer program has them. */
const newerTallies = { ...tallies, version: 2 };
const newerBooks = { ...books, version: 2 };
const elsewhere = { ...tallies, name: 'elsewhere', version: 2, key: () => 'another id' };
const NEWER: readonly Projection[] = [newerTallies, newerBooks, elsewhere];
const BY_OWNER = { index: 'by_owner', equals: { owner: 'ada' }, limit: 10 };

let t: Tallies;
let readModels: StoredReadModels;

beforeEach(async () => {
  t = new Tallies();
  await t.append('a', opened('ada'), raised(2), raised(3));
  const former: readonly Projection[] = [tallies, books, { ...elsewhere, version: 1 }];
  const runner = t.runner(former);
  await t.caughtUp(runner, former);
  await runner.stop();
  // The document as an older program shaped it.
  await (await t.documents.open(tallies)).put({ id: 'a', version: 2, body: { owned_by: 'ada' } });
  readModels = new StoredReadModels(t.documents, t.store, t.clock, NEWER);
});
afterEach(() => t.stopAll());

const ada: Document = { id: 'a', version: 2, body: { owner: 'ada', sum: 5, raises: 2 } };

describe('documents of a former version, until they are built anew', () => {
  it('are not read: a document is folded from its stream', async () => {
    expect(await readModels.get(newerTallies, 'test', 'a')).toStrictEqual(ada);
    expect(await readModels.get(newerTallies, 'test', 'b')).toBeNull();
    expect(await readModels.get(newerTallies, 'live', 'a')).toBeNull();
  });

  it('are not brought up to date either', async () => {
    const former = { id: 'a', version: 2, body: { owned_by: 'ada' } };
    expect(await readModels.freshen(newerTallies, 'test', former as never)).toStrictEqual(ada);
  });

  it.each([
    ['a list', () => readModels.list(newerTallies, BY_OWNER)],
    ['a document that many streams feed', () => readModels.get(newerBooks, 'test', 'book-a')],
    ['a document whose id is not its stream’s', () => readModels.get(elsewhere, 'test', 'another id')],
    [
      'bringing a document of many streams up to date',
      () => readModels.freshen(newerBooks, 'test', { id: 'book-a', version: 1, body: { raises: 1, last: '' } }),
    ],
  ])('are waited for: %s is refused', async (_, read) => {
    await expect(read()).rejects.toThrow(ReadModelBeingBuilt);
    await expect(read()).rejects.toThrow('is being built anew');
  });

  it('are read once they are built', async () => {
    await expect(readModels.list(newerTallies, BY_OWNER)).rejects.toThrow(ReadModelBeingBuilt);
    for (const projection of NEWER) await rebuildProjection({ ...t.parts, projection });
    expect(await readModels.list(newerTallies, BY_OWNER)).toStrictEqual([ada]);
    expect(await readModels.get(newerBooks, 'test', 'book-a')).toMatchObject({ body: { raises: 2 } });
  });
});

it('documents that a newer program has built under this one are noticed within seconds', async () => {
  const older = new StoredReadModels(t.documents, t.store, t.clock, [tallies]);
  expect(await older.list(tallies, BY_OWNER)).toStrictEqual([]);
  await rebuildProjection({ ...t.parts, projection: newerTallies });
  let refused = false;
  await t.clock.passUntil('the older program notices', async () => {
    refused = await older.list(tallies, BY_OWNER).then(
      () => false,
      error => error instanceof ReadModelBeingBuilt,
    );
    return refused;
  });
  expect(refused).toBe(true);
  expect(await older.get(tallies, 'test', 'a')).toStrictEqual(ada);
});

it('a version costs one look, and later ones hold up no reader', async () => {
  let looks = 0;
  const documents: Documents = {
    ...t.documents,
    open: async spec => {
      const collection = await t.documents.open<never>(spec);
      if (spec.name !== 'checkpoints') return collection;
      const get: typeof collection.get = id => (looks++, collection.get(id));
      return Object.assign(Object.create(collection) as typeof collection, { get });
    },
  };
  const counted = new StoredReadModels(documents, t.store, t.clock, [books]);
  for (let read = 0; read < 5; read++) await counted.list(books, { index: 'by_raises', equals: {}, limit: 1 });
  expect(looks).toBe(1);
  t.clock.step(10_000);
  await Promise.all([1, 2, 3].map(() => counted.get(books, 'test', 'book-a')));
  expect(looks).toBe(2);
});

it('documents that nobody follows yet are read', async () => {
  const empty = new Tallies();
  await empty.command('a', opened('ada'));
  expect(await (await Checkpoints.open(empty.documents, empty.clock)).load(tallies.name)).toBeNull();
  expect(await empty.readModels.list(tallies, BY_OWNER)).toHaveLength(1);
});

it('a version that nobody could look at for a minute is taken for no known one', async () => {
  let isAway = false;
  const documents: Documents = {
    ...t.documents,
    open: async spec => {
      const collection = await t.documents.open<never>(spec);
      if (spec.name !== 'checkpoints') return collection;
      const get: typeof collection.get = id => (isAway ? Promise.reject(new Error('away')) : collection.get(id));
      return Object.assign(Object.create(collection) as typeof collection, { get });
    },
  };
  const reading = new StoredReadModels(documents, t.store, t.clock, [books]);
  const read = () => reading.get(books, 'test', 'book-a');
  const known = await read();
  isAway = true;
  t.clock.step(59_000);
  expect(await read()).toStrictEqual(known);
  t.clock.step(1_000);
  await expect(read()).rejects.toThrow('away');
  isAway = false;
  expect(await read()).toStrictEqual(known);
});
