import type { NewEvent } from '../../../src/kernel/event';
import { parseStreamName } from '../../../src/kernel/event';
import type { Projection } from '../../../src/kernel/projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { rebuildProjection } from '../../../projections/runner/rebuild';
import { Tallies } from './tallies';

type Counted = { readonly type: 'Counted'; readonly data: Record<string, never> };
type Shelf = { readonly count: number };

/** Each document is made of several streams, `{any}-{document}`. */
const shelves: Projection<Shelf, Counted> = {
  name: 'shelves',
  version: 1,
  indexes: {},
  categories: ['tally'],
  mirrors: false,
  key: ({ stream }) => parseStreamName(stream).id.split('-')[1] ?? null,
  on: { Counted: doc => ({ count: (doc?.count ?? 0) + 1 }) },
};
/** More documents than a build keeps in memory, with those that wait for a write. */
const DOCUMENTS = 25_000;

it('reads a document that a build has forgotten, also for the first event of another stream', async () => {
  const t = new Tallies();
  const count = async (stream: string): Promise<void> => {
    const metadata = { recorded_at: '2026-11-01T12:00:00.000Z' };
    const event = { id: stream, type: 'Counted', data: {}, metadata } as unknown as NewEvent;
    await t.store.append(`test.tally-${stream}`, 'no_stream', [event]);
  };
  await count('first-0');
  for (let document = 1; document < DOCUMENTS; document++) await count(`first-${document}`);
  await count('second-0');
  await rebuildProjection({ ...t.parts, projection: shelves });
  const collection = await t.documents.open<Shelf>(collectionSpec(shelves));
  expect(await collection.get('0')).toMatchObject({ body: { count: 2 } });
  expect(await collection.get('1')).toMatchObject({ body: { count: 1 } });
});
