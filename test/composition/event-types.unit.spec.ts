import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CATEGORIES } from '../../src/composition/aggregates';
import { EVENT_TYPES, isEventOf } from '../../src/composition/event-types';

const FIXTURES = path.resolve(__dirname, '..', 'fixtures', 'events');

it('names the types of each category', () => {
  expect(Object.keys(EVENT_TYPES).sort()).toEqual([...CATEGORIES].sort());
});

it('takes every recorded version of every event for one of its stream', () => {
  const files = readdirSync(FIXTURES).filter(file => file.endsWith('.json') && file !== 'frozen.json');
  const foreign = files.flatMap(file => {
    const text = readFileSync(path.join(FIXTURES, file), 'utf8');
    const types = [...text.matchAll(/"type": "(\w+)"/g)].map(([, type]) => type as string);
    expect(types.length).toBeGreaterThan(0);
    return types.filter(type => !isEventOf(file.replace('.json', ''), type));
  });
  expect(foreign).toEqual([]);
});

it('tells an event of another category, and names that every object has', () => {
  expect(isEventOf('wallet', 'RouteSet')).toBe(false);
  expect(isEventOf('wallet', 'toString')).toBe(false);
  expect(isEventOf('unknown', 'WalletRegistered')).toBe(false);
});
