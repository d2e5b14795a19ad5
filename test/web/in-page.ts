import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';

const ROOT = path.resolve(__dirname, '..', '..', __dirname.includes(`${path.sep}dist${path.sep}`) ? '..' : '');

/** Each is transformed once, since the transformer starts a process each time. */
const scripts = new Map<string, string>();

/**
 * A script of `test/web/in-page`, which runs in the page and not in the test. Its own types know the browser, and the
 * tests' types do not. `given` is what the script finds as the constant `GIVEN`.
 */
export function inPage(name: string, given: unknown = null): string {
  const script = scripts.get(name) ?? scriptOf(name);
  scripts.set(name, script);
  return `(GIVEN => {\n${script}\n})(${JSON.stringify(given)});`;
}

function scriptOf(name: string): string {
  const source = readFileSync(path.join(ROOT, 'test', 'web', 'in-page', `${name}.ts`), 'utf8');
  return transformSync(source, { loader: 'ts', format: 'iife' }).code;
}
