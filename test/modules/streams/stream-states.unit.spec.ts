import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { streamId, type Mirror } from '../../../src/kernel/projection';
import { streamStates } from '../../../src/modules/streams/stream-states';
import type { JsonObject } from '../../../src/vocabulary/json';
import { metadata } from '../../contracts/contract-support';

type Shelved = { readonly type: 'BookShelved'; readonly data: { readonly place: string } };
type Lent = { readonly type: 'BookLent'; readonly data: { readonly reader: string } };
type Book = { readonly place: string; readonly reader: string | null };

const STREAM = 'test.book-1';

const event = (revision: number, type: string, data: JsonObject): RecordedEvent => ({
  ...{ id: `event-${revision}`, type, data, stream: STREAM, revision },
  position: revision as LogPosition,
  metadata: metadata(),
});
const EVENTS = [event(0, 'BookShelved', { place: 'A1' }), event(1, 'BookLent', { reader: 'Ada' })];

/** Knows where a book stands alone. */
const places: Mirror<{ readonly place: string }, Shelved | Lent> = {
  ...{ name: 'places', version: 1, indexes: {}, categories: ['book'], mirrors: true, key: streamId },
  on: { BookShelved: (_, { data }) => ({ place: data.place }), BookLent: null },
};
const books: Mirror<Book, Shelved | Lent> = {
  ...{ name: 'books', version: 1, indexes: {}, categories: ['book'], mirrors: true, key: streamId },
  on: {
    BookShelved: (_, { data }) => ({ place: data.place, reader: null }),
    BookLent: (book, { data }) => book && { ...book, reader: data.reader },
  },
};
const byReader: Mirror<{ readonly reader: string }, Shelved | Lent> = {
  ...{ name: 'by_reader', version: 1, indexes: {}, categories: ['book'], mirrors: true },
  key: ({ type, data }) => (type === 'BookLent' ? data.reader : null),
  on: { BookShelved: null, BookLent: (_, { data }) => ({ reader: data.reader }) },
};
/** Counts its events, in a state that JSON cannot hold as it is. */
const folded = {
  category: 'book',
  initial: 0n,
  evolve: (state: bigint | { readonly seen: bigint }) => ({
    seen: (typeof state === 'bigint' ? state : state.seen) + 1n,
  }),
};

const SHELVED = { place: 'A1', reader: null };
const LENT = { place: 'A1', reader: 'Ada' };

it('are those of the mirror that takes the most types of events', () => {
  expect([...streamStates([places, books], [folded])(STREAM, EVENTS)]).toEqual([SHELVED, LENT]);
});

it('are the documents by their ids, where a mirror has its own', () => {
  expect([...streamStates([byReader], [])(STREAM, EVENTS)]).toEqual([{}, { Ada: { reader: 'Ada' } }]);
});

it('are those that the decider folds, as JSON, where no read model mirrors the stream', () => {
  const states = streamStates([], [{ ...folded, category: 'shelf' }, folded]);
  expect([...states(STREAM, EVENTS)]).toEqual([{ seen: '1' }, { seen: '2' }]);
});

it('are null where no decider is known', () => {
  expect([...streamStates([], [])(STREAM, EVENTS)]).toEqual([null, null]);
});
