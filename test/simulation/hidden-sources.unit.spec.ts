import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources that a simulated process runs. The platform is left out, since the simulation stands in for it. */
const FOLDERS = ['src/composition', 'src/kernel', 'src/modules', 'src/processes', 'src/watchers', 'projections'];
/** Time, chance and turns that no seed decides. */
const HIDDEN = [
  'Date.now', 'new Date()', 'Math.random', 'setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask', 'AbortSignal.timeout',
  'randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'performance.now', 'hrtime',
] as const; // prettier-ignore

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name));
}

describe('the code that the simulation runs', () => {
  const files = FOLDERS.flatMap(sources);

  it('is found', () => {
    expect(files).toContain('src/watchers/network-watcher.ts');
    expect(files.length).toBeGreaterThan(200);
  });

  it.each(HIDDEN)('asks nobody but its ports for time, chance and turns: no %s', hidden => {
    expect(files.filter(file => readFileSync(file, 'utf8').includes(hidden))).toEqual([]);
  });
});
