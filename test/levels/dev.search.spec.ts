import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LESS_CLEARING } from '../../bin/build-when-stale.cjs';
import { eventually, freePort, serviceEnvironment } from '../support/service-process';
import { searchSize } from './search-size';

const ROOT = path.resolve(__dirname, '..', '..');
const LEFT_BEHIND = ['node_modules', '.git', 'dist', 'data'];
const ANSWER_MS = 5_000;
const STEP_MS = 90_000;
const LIMIT_MS = 400_000;
/** Saves of a developer, each with what the page then holds. */
const SAVES = [
  ['web/theme/tokens.css', (text: string) => `${text}\n.saved { color: #123456; }\n`, '.saved{color:#123456}'],
  ['web/docs/errors.page.tsx', (text: string) => text.replace('<h1>', '<h1>Saved: '), 'Saved: '],
] as const;
const SAVES_RUN = SAVES.slice(0, searchSize('DEV_SAVES', { small: 1, full: SAVES.length }));

/** The whole service takes the compiler ten times as long as the pages' own parts, which a small search serves. */
const IS_WHOLE = SAVES_RUN.length === SAVES.length;
const PARTS = [
  'dev.mjs',
  'package.json',
  'tsconfig.json',
  'web',
  path.join('src', 'vocabulary'),
  path.join('docs', 'guides'),
];
const SMALL_BUILD = {
  extends: './tsconfig.json',
  compilerOptions: { noEmit: false, rootDir: '.', outDir: 'dist' },
  include: ['src/main.ts'],
};
const SMALL_SERVICE = `
import { createServer } from 'node:http';
import { BuiltPages } from '../web/http/built-pages';
const pages = BuiltPages.read();
const page = '<link rel="stylesheet" href="/assets/' + pages.assetName('docs.css') + '">';
createServer(({ url = '' }, response) => {
  response.end(pages.asset(url.replace('/assets/', ''))?.bytes.identity ?? page);
}).listen(process.env.PORT);
`;

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'quittance-dev-'));
  if (IS_WHOLE) {
    const isCopied = (from: string): boolean => !LEFT_BEHIND.includes(path.relative(ROOT, from));
    cpSync(ROOT, copy, { recursive: true, filter: isCopied });
  } else {
    for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
    writeFileSync(path.join(copy, 'src', 'main.ts'), SMALL_SERVICE);
    writeFileSync(path.join(copy, 'tsconfig.build.json'), JSON.stringify(SMALL_BUILD));
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  // One thread of the compiler takes half of the processor time of several.
  const developing = path.join(copy, 'dev.mjs');
  writeFileSync(developing, readFileSync(developing, 'utf8').replace("'--watch'", "'--watch', '--singleThreaded'"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it(
  '`npm run dev` serves what was saved last, and ends with all that it started',
  async () => {
    const port = await freePort();
    const env = serviceEnvironment({
      dataFolder: path.join(copy, 'data'),
      port,
      env: { SANDBOX_CHAINS: 'off', ...LESS_CLEARING },
    });
    const developing = spawn(process.execPath, ['dev.mjs'], { cwd: copy, env, stdio: 'ignore' });
    const ended = once(developing, 'exit');
    const fetched = (at: string): Promise<string> =>
      fetch(`http://127.0.0.1:${port}${at}`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(got => got.text());
    /** The page of errors with its style; empty while the service starts. */
    const page = async (): Promise<string> => {
      const html = await fetched('/docs/errors').catch(() => '');
      const [style] = /\/assets\/docs-\w+\.css/.exec(html) ?? [];
      return style === undefined ? '' : html + (await fetched(style).catch(() => ''));
    };
    try {
      await eventually('the first page', STEP_MS, async () => (await page()) || null);
      for (const [file, edited, shown] of SAVES_RUN) {
        const place = path.join(copy, file);
        expect(await page()).not.toContain(shown);
        writeFileSync(place, edited(readFileSync(place, 'utf8')));
        await eventually(`${file} as saved`, STEP_MS, async () => (await page()).includes(shown) || null);
      }
    } finally {
      developing.kill('SIGTERM');
      await ended;
    }
    await eventually('no service', STEP_MS, () => fetched('/healthz').then(() => null, () => true)); // prettier-ignore
  },
  LIMIT_MS,
);
