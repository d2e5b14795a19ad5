import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stalePartOfPages, staleSource } from '../../bin/build-when-stale.cjs';

const SOURCES = ['src/main.ts', 'src/kernel/clock.ts', 'bench/main.ts'];
let root: string;

function write(file: string, atSeconds: number): void {
  const whole = path.join(root, file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, JSON.stringify({ include: ['src', 'bench'] }));
  utimesSync(whole, atSeconds, atSeconds);
}

const built = (source: string): string => path.join('dist', source.replace('.ts', '.js'));

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'quittance-stale-'));
  for (const file of ['tsconfig.json', 'tsconfig.build.json', 'src/types.d.ts', ...SOURCES]) write(file, 100);
  for (const source of SOURCES) write(built(source), 200);
});
afterEach(() => rmSync(root, { recursive: true }));

it('finds nothing to build where nothing has changed since', () => {
  expect(staleSource(root)).toBeNull();
});

it.each(SOURCES)('finds what was never built, or changed since: %s', source => {
  write(source, 300);
  expect(staleSource(root)).toBe(source);
  write(source, 100);
  rmSync(path.join(root, built(source)));
  expect(staleSource(root)).toBe(source);
});

it('finds data that changed since it was copied, and passes over data that no source imports', () => {
  for (const file of ['src/list.json', 'src/unused.json']) write(file, 300);
  expect(staleSource(root)).toBeNull();
  write('dist/src/list.json', 200);
  expect(staleSource(root)).toBe(path.join('src', 'list.json'));
});

it('builds all anew by other settings', () => {
  write('tsconfig.json', 300);
  expect(SOURCES).toContain(staleSource(root));
});

it('finds all of a fresh copy', () => {
  rmSync(path.join(root, 'dist'), { recursive: true });
  expect(SOURCES).toContain(staleSource(root));
});

it('finds nothing to build where there are no sources, as in an image', () => {
  for (const file of ['tsconfig.json', 'tsconfig.build.json']) rmSync(path.join(root, file));
  expect(staleSource(root)).toBeNull();
});

describe('the parts of pages', () => {
  const PARTS = [
    'web/build.mjs',
    'web/theme/base.css',
    'web/messages/en.json',
    'web/browser/live.ts',
    'docs/guides/a.md',
  ];
  beforeEach(() => {
    for (const part of [...PARTS, 'web/parts/page.tsx']) write(part, 100);
    write('dist/web/assets/names.json', 200);
  });

  it('are built anew where one is newer than what was built of them', () => {
    expect(stalePartOfPages(root)).toBeNull();
    for (const part of PARTS) {
      write(part, 300);
      expect(stalePartOfPages(root)).toBe(part);
      write(part, 100);
    }
    rmSync(path.join(root, 'dist/web/assets/names.json'));
    expect(PARTS).toContain(stalePartOfPages(root));
  });

  it('are not templates, which the compiler builds', () => {
    write('web/parts/page.tsx', 300);
    expect(stalePartOfPages(root)).toBeNull();
  });
});
