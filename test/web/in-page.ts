import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';

const ROOT = path.resolve(__dirname, '..', '..', __dirname.includes(`${path.sep}dist${path.sep}`) ? '..' : '');

/**
 * A script of `test/web/in-page`, which runs in the page and not in the test. Its own types know the browser, and the
 * tests' types do not. `given` is what the script finds as the constant `GIVEN`.
 */
export function inPage(name: string, given: unknown = null): string {
  const source = readFileSync(path.join(ROOT, 'test', 'web', 'in-page', `${name}.ts`), 'utf8');
  const define = { GIVEN: JSON.stringify(given) };
  return transformSync(source, { loader: 'ts', format: 'iife', define }).code;
}
