import { mirrorWriter } from '../../../projections/runner/read-models';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { Document } from '../../../src/kernel/ports/documents';
import type { Mirror, Projection } from '../../../src/kernel/projection';
import { MemoryDocuments } from '../../support/memory-documents';
import { closed, opened, raised, tallies, Tallies, type TallyDocument, type TallyEvent } from './tallies';

const RAISES = 120;

let t: Tallies;
let handled: number;
/** Counts the events that it folds; a closed tally is removed, and comes back when it is opened again. */
const counting: Mirror<TallyDocument, TallyEvent> = {
  ...tallies,
  on: {
    TallyOpened: (...given) => (handled++, tallies.on.TallyOpened?.(...given) ?? null),
    TallyRaised: (...given) => (handled++, tallies.on.TallyRaised?.(...given) ?? null),
    TallyClosed: () => (handled++, null),
  },
};

beforeEach(() => {
  t = new Tallies();
  handled = 0;
});

const writer = (projection: Projection = counting, documents = t.documents) =>
  mirrorWriter(documents, [projection], t.log);

const stored = async (id = 'a', documents = t.documents): Promise<Document | null> =>
  (await documents.open(tallies)).get(id);

const history = (): Promise<readonly RecordedEvent[]> => t.store.readStream('test.tally-a');

/** The fold of the history by a writer that has seen nothing. */
async function whole(events: readonly RecordedEvent[]): Promise<Document | null> {
  const documents = new MemoryDocuments();
  await writer(counting, documents)('test.tally-a', events);
  return stored('a', documents);
}

it('folds the new events alone, however long the stream is', async () => {
  const write = writer();
  await t.write('a', [opened('ada')], write);
  for (let raise = 0; raise < RAISES; raise++) await t.write('a', [raised(raise)], write);
  expect(await stored()).toMatchObject({ version: RAISES, body: { raises: RAISES } });
  expect(handled).toBeLessThan(6 * RAISES);
});

it('makes what a fold of the whole history makes, through removals and openings too', async () => {
  const write = writer();
  const lives = [opened('ada'), ...Array.from({ length: 50 }, () => raised(2)), closed, raised(3), opened('bob')];
  for (const event of [...lives, raised(5), closed, closed, opened('cyd'), raised(7)]) {
    await t.write('a', [event], write);
    expect(await stored()).toStrictEqual(await whole(await history()));
  }
  expect(await stored()).toMatchObject({ body: { owner: 'cyd', sum: 7, raises: 1 } });
});

it('makes the same beside another process that appends to the stream in turns', async () => {
  const [one, other] = [writer(), writer()];
  await t.write('a', [opened('ada')], one);
  for (let raise = 1; raise <= RAISES; raise++) {
    await t.write('a', [raised(raise)], raise % 3 === 0 ? one : other);
    expect(await stored()).toStrictEqual(await whole(await history()));
  }
});

it('makes the same of histories that come late, come again, or skip what others appended', async () => {
  await t.append('a', opened('ada'), ...Array.from({ length: RAISES }, (_, index) => raised(index)));
  const events = await history();
  const write = writer();
  for (const length of [60, 40, 100, 100, 33, 101, events.length, 80]) {
    await (await t.documents.open(tallies)).deleteUpTo('a', Infinity);
    await write('test.tally-a', events.slice(0, length));
    expect(await stored()).toStrictEqual(await whole(events.slice(0, length)));
  }
});

it('goes on from no fold of another log', async () => {
  const write = writer();
  await t.append('a', opened('ada'), ...Array.from({ length: RAISES }, () => raised(1)));
  await write('test.tally-a', await history());
  const other = new Tallies();
  await other.append('a', opened('bob'), ...Array.from({ length: RAISES + 1 }, () => raised(2)));
  await write('test.tally-a', await other.store.readStream('test.tally-a'));
  expect(await stored()).toMatchObject({ version: RAISES + 1, body: { owner: 'bob', sum: 2 * (RAISES + 1) } });
});

it('goes on from no fold of a history that was replaced under the same ids', async () => {
  const write = writer();
  const raises = (by: number) => Array.from({ length: RAISES }, () => raised(by));
  await t.append('a', opened('ada'), ...raises(1));
  const before = await history();
  await write('test.tally-a', before);
  const other = new Tallies();
  await other.append('a', opened('bob'), ...raises(2), raised(2));
  const replaced = (await other.store.readStream('test.tally-a')).map((event, index) => {
    return { ...event, id: before[index]?.id ?? event.id };
  });
  await write('test.tally-a', replaced);
  expect(await stored()).toMatchObject({ version: RAISES + 1, body: { owner: 'bob', sum: 2 * (RAISES + 1) } });
});
