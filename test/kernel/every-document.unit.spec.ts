import { everyDocument } from '../../src/kernel/every-document';
import type { ReadModel } from '../../src/kernel/ports/read-models';
import { StoredReadModels } from '../../projections/runner/read-models';
import { ManualClock } from '../support/manual-clock';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';

type Book = { readonly shelf: string; readonly year: number };

const books: ReadModel<Book> = {
  name: 'books',
  version: 1,
  indexes: { by_year: ['shelf', 'year', 'id'], by_shelf: ['shelf', 'id'] },
};

/** Three of each of four years, and one on another shelf. */
async function library(): Promise<StoredReadModels> {
  const documents = new MemoryDocuments();
  const collection = await documents.open(books);
  for (let number = 0; number < 12; number++)
    await collection.put({
      id: `b${String(number).padStart(2, '0')}`,
      version: 0,
      body: { shelf: 'a', year: number % 4 },
    });
  await collection.put({ id: 'c', version: 0, body: { shelf: 'b', year: 1 } });
  return new StoredReadModels(documents, new MemoryEventStore(), new ManualClock(0));
}

async function idsOf(
  readModels: StoredReadModels,
  index: string,
  limit: number,
  more = {},
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of everyDocument(readModels, books, { index, equals: { shelf: 'a' }, limit, ...more }))
    ids.push(id);
  return ids;
}

describe('every document of a list', () => {
  it.each([1, 2, 5, 12, 13])('is met once and in order, in pages of %i', async limit => {
    const readModels = await library();
    const byYear = ['b00', 'b04', 'b08', 'b01', 'b05', 'b09', 'b02', 'b06', 'b10', 'b03', 'b07', 'b11'];
    expect(await idsOf(readModels, 'by_year', limit)).toStrictEqual(byYear);
    expect(await idsOf(readModels, 'by_shelf', limit)).toStrictEqual([...byYear].sort());
    expect(await idsOf(readModels, 'by_year', limit, { range: { from: 2 } })).toStrictEqual(byYear.slice(6));
    expect(await idsOf(readModels, 'by_year', limit, { descending: true })).toStrictEqual([...byYear].reverse());
  });

  it('is none where there is none, and asks no further than its reader goes', async () => {
    const readModels = await library();
    const list = jest.spyOn(readModels, 'list');
    for await (const { id } of everyDocument(readModels, books, {
      index: 'by_shelf',
      equals: { shelf: 'a' },
      limit: 2,
    }))
      if (id === 'b01') break;
    expect(list).toHaveBeenCalledTimes(1);
    const none = everyDocument(readModels, books, { index: 'by_shelf', equals: { shelf: 'z' }, limit: 2 });
    expect((await none.next()).done).toBe(true);
  });
});
