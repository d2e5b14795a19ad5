// `npm run dev`: compiles on each save, and restarts the service when a file that it has loaded changes.
import { spawn } from 'node:child_process';

const COMPILER = ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'];
const SERVICE = ['--watch', '--enable-source-maps', 'dist/src/main.js'];
const COMPILED = 'Watching for file changes';

// The compiler's program starts another one: a group of their own lets both be ended.
const compiler = spawn(process.execPath, COMPILER, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
let service = null;

function start() {
  service = spawn(process.execPath, SERVICE, { stdio: 'inherit' });
  service.once('exit', stop);
}

function stop() {
  endCompiler();
  service?.kill('SIGTERM');
}

function endCompiler() {
  try {
    process.kill(-compiler.pid, 'SIGTERM');
  } catch {
    // The compiler has ended.
  }
}

compiler.stdout.on('data', text => {
  process.stdout.write(text);
  if (service === null && String(text).includes(COMPILED)) start();
});
compiler.once('exit', stop);
process.on('exit', endCompiler);
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, stop);
