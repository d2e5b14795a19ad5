import { spawnSync } from 'node:child_process';

it('each mutant changes a text that stands in its source exactly once', () => {
  // No mutant has this in its name: the list is read, and none of it is run.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/simulation/mutants.mjs', 'no such mutant'], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toStrictEqual([0, '0 of 0 caught\n', '']);
});
