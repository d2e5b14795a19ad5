import type { NewEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { RecentEvents } from '../../../src/platform/event-store/embedded/recent-events';

const at = (position: number) => position as LogPosition;
const named = (...ids: string[]) =>
  ids.map(id => ({ id, type: 'Told', data: { id }, metadata: {} }) as never as NewEvent);

function idsOf(recent: RecentEvents, after: number, until: number, categories: readonly string[] | 'all' = 'all') {
  const filter = categories === 'all' ? categories : { categories };
  return recent.between(filter, at(after), at(until))?.map(({ id }) => id) ?? null;
}

it('gives the events behind a position, with their places', () => {
  const recent = new RecentEvents();
  recent.add('test.tally-1', named('a', 'b'), 4, at(11));
  recent.add('test.note-1', named('c'), 0, at(12));
  expect(recent.between('all', at(9), at(11))).toEqual([
    { id: 'a', type: 'Told', stream: 'test.tally-1', revision: 3, position: 10, data: { id: 'a' }, metadata: {} },
    { id: 'b', type: 'Told', stream: 'test.tally-1', revision: 4, position: 11, data: { id: 'b' }, metadata: {} },
  ]);
  expect(idsOf(recent, 10, 12)).toEqual(['b', 'c']);
  expect(idsOf(recent, 9, 12, ['note', 'other'])).toEqual(['c']);
  expect(idsOf(recent, 9, 12, ['other'])).toEqual([]);
});

it('leaves to the log what it does not know as a whole', () => {
  const recent = new RecentEvents();
  expect(idsOf(recent, 0, 1)).toBeNull();
  recent.add('test.tally-1', named('a', 'b'), 1, at(11));
  expect(idsOf(recent, 8, 11)).toBeNull();
  expect(idsOf(recent, 9, 12)).toBeNull();
});

it('forgets the events before those of another process', () => {
  const recent = new RecentEvents();
  recent.add('test.tally-1', named('a'), 0, at(10));
  recent.add('test.tally-1', named('c'), 2, at(12));
  expect(idsOf(recent, 9, 12)).toBeNull();
  expect(idsOf(recent, 10, 12)).toBeNull();
  expect(idsOf(recent, 11, 12)).toEqual(['c']);
});

it('holds a bounded number of events, the newest ones', () => {
  const recent = new RecentEvents();
  for (let position = 0; position < 1_000; position++) recent.add('test.tally-1', named('a'), position, at(position));
  expect(idsOf(recent, 800, 999)).toBeNull();
  expect(idsOf(recent, 989, 999)).toHaveLength(10);
});
