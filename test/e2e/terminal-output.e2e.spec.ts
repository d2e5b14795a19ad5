import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLI, MAIN, QUICK_START, serviceEnvironment } from '../support/service-process';

const LIMIT_MS = 60_000;
const folder = mkdtempSync(path.join(tmpdir(), 'quittance-terminal-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file stands where the data folder would be, so the start ends at once. `failed-starts` reads JSON from a pipe. */
it(
  'a start shows lines to read on a terminal',
  () => {
    const dataFolder = path.join(folder, 'file');
    writeFileSync(dataFolder, '');
    const env = serviceEnvironment({ dataFolder, port: 1, env: { MONGO_URL: 'misspelt', SANDBOX_CHAINS: 'off' } });
    const command = [process.execPath, ...QUICK_START, MAIN].join(' ');
    const options = ['--quiet', '--return', '--command', command, '/dev/null'];
    const { stdout } = spawnSync('script', options, { env, encoding: 'utf8' });
    expect(stdout).toMatch(/\[\d\d:\d\d:\d\d\.\d{3}\].* (?:WARN|.*WARN.*): .*nothing reads this variable/);
    expect(stdout).not.toContain('"level":');
  },
  LIMIT_MS,
);

it(
  'a command whose reader has gone ends as by a closed pipe, and shows no fault',
  () => {
    const script = '"$0" "$@" --help | true; echo "${PIPESTATUS[0]}"';
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, ...QUICK_START, CLI], {
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toStrictEqual(['141\n', '']);
  },
  LIMIT_MS,
);
