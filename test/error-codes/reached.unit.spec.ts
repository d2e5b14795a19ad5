import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { REACHED } from './reached';

const ROOT = path.resolve(__dirname, '..', '..');
/** Files that name codes without refusing with them: the catalogue, and its pages for readers. */
const WRITTEN_ABOUT = /error-catalogue\.ts$|\/openapi[^/]*\.ts$|\/platform\/docs\//;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
/** An operation lists the codes of its command, which refuses with them elsewhere. */
const LISTED = /refuses: \[[^\]]*\]/g;

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.name.endsWith('.ts') ? [file] : [];
  });
}

const uncommented = (file: string): string => readFileSync(file, 'utf8').replace(COMMENT, '').replace(LISTED, '');
const sources = ['src', 'projections']
  .flatMap(folder => filesBelow(path.join(ROOT, folder)))
  .filter(file => !WRITTEN_ABOUT.test(file))
  .map(file => ({ file, text: uncommented(file) }));

/** Files whose code has the error code as a text: a refusal names its code there. */
const filesWith = (code: string): readonly string[] =>
  sources.filter(({ text }) => text.includes(`'${code}'`)).map(({ file }) => path.relative(ROOT, file));

const reached = REACHED.flatMap(({ codes }) => codes);

it('names the test that reaches each of the 215 codes, once', () => {
  expect(reached).toHaveLength(215);
  expect([...reached].sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
});

it.each(REACHED.map(group => [`${group.spec}: ${group.title}`, group] as const))(
  '%s names its codes',
  (_, { spec, title, codes }) => {
    const text = readFileSync(path.join(ROOT, 'test', spec), 'utf8').replace(COMMENT, '');
    expect(text).toContain(title);
    expect(codes.filter(code => !new RegExp(`\\b${code}\\b`).test(text))).toEqual([]);
  },
);

it('finds a place in the service that refuses with each reached code', () => {
  expect(reached.filter(code => filesWith(code).length === 0)).toEqual([]);
});
