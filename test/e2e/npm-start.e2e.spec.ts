import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, freePort, serviceEnvironment } from '../support/service-process';

const ROOT = path.resolve(__dirname, '../..');
const START_MS = 90_000;
const STOP_MS = 60_000;

let dataFolder: string;
beforeEach(() => (dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-npm-'))));
afterEach(() => rmSync(dataFolder, { recursive: true }));

/** Processes of the system that work on this test's data folder, by their environment. */
function processes(): readonly string[] {
  const numbers = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return numbers.filter(number => {
    try {
      return readFileSync(`/proc/${number}/environ`, 'utf8').includes(`DATA_FOLDER=${dataFolder}\0`);
    } catch {
      return false;
    }
  });
}

test('a signal to `npm start` ends the service too', async () => {
  const port = await freePort();
  const env = serviceEnvironment({ dataFolder, port, env: { SANDBOX_CHAINS: 'off' } });
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'ignore' });
  const ended = once(npm, 'exit');
  await eventually('ready', START_MS, async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    return answer?.ok ? true : null;
  });
  npm.kill('SIGTERM');
  await ended;
  await eventually('all processes have ended', STOP_MS, () => (processes().length === 0 ? true : null));
}, START_MS + STOP_MS); // prettier-ignore
