import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as compilers from '../support/contract-compilers';
import type * as sizes from './search-size';

type Module = typeof sizes;

function loadedAnew<Loaded = Module>(name = './search-size'): Loaded {
  let loaded: Loaded | undefined;
  jest.isolateModules(() => (loaded = jest.requireActual<Loaded & object>(name)));
  return loaded as Loaded;
}

it('runs a module anew wherever it is loaded anew', () => {
  const [one, other] = [loadedAnew(), loadedAnew()];
  expect(one.searchSize).not.toBe(other.searchSize);
  expect(one.searchSize('STORMS', { small: 3, full: 70 }, {})).toBe(3);
});

it('runs a module within the world of its test file', () => {
  expect(() => loadedAnew().searchSize('STORMS', { small: 3, full: 70 }, { STORMS: '0' })).toThrow(RangeError);
});

it('keeps the compiled contract of a worker wherever its module is loaded anew', () => {
  const validator = () =>
    loadedAnew<typeof compilers>('../support/contract-compilers')
      .contractCompiler('{"Name":{"type":"string"}}')
      .validator('{"$ref":"#/components/schemas/Name"}');
  expect(validator()).toBe(validator());
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
