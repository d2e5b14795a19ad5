import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const JEST = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const FOLDER = path.join('test', 'levels', 'sharing');
/** Neither the pages of the service nor any other test file is looked for. */
const ALONE = ['--roots', FOLDER, '--globalSetup='];

it("test files of a worker share the service's modules, and neither tests' modules nor changes of the process", () => {
  const { status, stderr } = spawnSync(process.execPath, [JEST, '-i', '--selectProjects', 'unit', ...ALONE], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TELL_MEETING: '1' },
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining('2 passed, 2 total')]);
  expect(stderr).toContain('the second file has met the first');
});
