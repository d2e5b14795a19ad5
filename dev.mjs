// `npm run dev`: compiles on each save, and restarts the service when a file that it has loaded changes. An open page
// then connects again, meets another build, and fetches itself.
import { spawn } from 'node:child_process';
import { mkdirSync, utimesSync, watch } from 'node:fs';

const COMPILER = ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'];
const SERVICE = ['--watch', '--enable-source-maps', 'dist/src/main.js'];
const PAGES = ['web/build.mjs', '--watch'];
const BUILT_PAGES = 'dist/web/assets';
/** The module that reads the built pages: a service that has loaded it restarts when it is touched. */
const READER = 'dist/web/http/built-pages.js';
const COMPILED = 'Watching for file changes';

// The compiler's program starts another one: a group of their own lets both be ended.
const compiler = spawn(process.execPath, COMPILER, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
const pages = spawn(process.execPath, PAGES, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
let service = null;

function start() {
  service = spawn(process.execPath, SERVICE, { stdio: 'inherit' });
  service.once('exit', stop);
}

function stop() {
  endBuilders();
  service?.kill('SIGTERM');
}

function endBuilders() {
  for (const { pid } of [compiler, pages]) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // The builder has ended.
    }
  }
}

compiler.stdout.on('data', text => {
  process.stdout.write(text);
  if (service === null && String(text).includes(COMPILED)) start();
});
mkdirSync(BUILT_PAGES, { recursive: true });
// A watcher that persists would outlive the service.
watch(BUILT_PAGES, { persistent: false }, (_, name) => {
  if (service === null || name !== 'names.json') return;
  const now = new Date();
  utimesSync(READER, now, now);
});
compiler.once('exit', stop);
process.on('exit', endBuilders);
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, stop);
