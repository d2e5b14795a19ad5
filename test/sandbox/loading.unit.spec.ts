import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SRC = path.join(__dirname, '../../src');
const SANDBOX = path.join(SRC, 'sandbox');
/** Imports and exports that are always taken; those of types alone are gone once the program is built. */
const TAKEN = /^(?:import|export)(?! type\b)[^;]*?from '(\.[^']*)'/gm;
const BY_NEED = /\bimport\('(\.[^']*)'\)/g;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.startsWith('sandbox'))
  .map(file => path.join(SRC, file));

function importersOf(pattern: RegExp): readonly string[] {
  return files
    .filter(file =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].some(([, target = '']) =>
        path.resolve(path.dirname(file), target).startsWith(`${SANDBOX}${path.sep}`),
      ),
    )
    .map(file => path.relative(SRC, file));
}

describe('the sandbox', () => {
  it('is loaded by no import that is always taken', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(importersOf(TAKEN)).toStrictEqual([]);
  });

  it('is loaded where a local chain is started, paid on or ended', () => {
    expect([...importersOf(BY_NEED)].sort()).toStrictEqual([
      'cli/commands/sandbox.ts',
      'composition/networks.ts',
      'composition/sandbox.ts',
    ]);
  });
});
