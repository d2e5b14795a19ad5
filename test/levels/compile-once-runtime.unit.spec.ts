import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as sizes from './search-size';

type Module = typeof sizes;

function loadedAnew(): Module {
  let loaded: Module | undefined;
  jest.isolateModules(() => (loaded = jest.requireActual('./search-size')));
  return loaded as Module;
}

it('runs a module anew wherever it is loaded anew', () => {
  const [one, other] = [loadedAnew(), loadedAnew()];
  expect(one.searchSize).not.toBe(other.searchSize);
  expect(one.searchSize('STORMS', { small: 3, full: 70 }, {})).toBe(3);
});

it('runs a module within the world of its test file', () => {
  expect(() => loadedAnew().searchSize('STORMS', { small: 3, full: 70 }, { STORMS: '0' })).toThrow(RangeError);
});

it('tells the place of a fault by line and column of its source', () => {
  const lines = readFileSync(path.join(__dirname, 'search-size.ts'), 'utf8').split('\n');
  const line = lines.findIndex(text => text.includes('is a number from 1 on'));
  const column = (lines[line] as string).indexOf('new RangeError');
  try {
    loadedAnew().searchSize('STORMS', { small: 3, full: 70 }, { STORMS: '0' });
  } catch (error) {
    expect((error as Error).stack).toContain(`search-size.ts:${line + 1}:${column + 1})`);
  }
  expect.assertions(1);
});
