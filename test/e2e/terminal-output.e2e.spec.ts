import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLI, MAIN, QUICK_START, serviceEnvironment } from '../support/service-process';

const LIMIT_MS = 60_000;
const folder = mkdtempSync(path.join(tmpdir(), 'quittance-terminal-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The output of a start that ends at once, since a file stands where the data folder would be. */
function output(program: string, ...args: readonly string[]): string {
  const dataFolder = path.join(folder, 'file');
  writeFileSync(dataFolder, '');
  const env = serviceEnvironment({ dataFolder, port: 1, env: { MONGO_URL: 'misspelt', SANDBOX_CHAINS: 'off' } });
  return spawnSync(program, args, { env, encoding: 'utf8' }).stdout;
}

it(
  'a start shows lines to read on a terminal, and JSON elsewhere',
  () => {
    const [line = ''] = output(process.execPath, ...QUICK_START, MAIN).split('\n');
    expect(JSON.parse(line)).toMatchObject({
      variable: 'MONGO_URL',
      msg: expect.stringMatching(/^nothing reads/) as string,
    });
    const command = [process.execPath, ...QUICK_START, MAIN].join(' ');
    const seen = output('script', '--quiet', '--return', '--command', command, '/dev/null');
    expect(seen).toMatch(/\[\d\d:\d\d:\d\d\.\d{3}\].* (?:WARN|.*WARN.*): .*nothing reads this variable/);
    expect(seen).not.toContain('"level":');
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
