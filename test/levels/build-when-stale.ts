import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const CONFIGS = ['tsconfig.json', 'tsconfig.build.json'];
const COMPILER = path.join('node_modules', 'typescript7', 'bin', 'tsc');

/** Runs once before tests of the built service. Built files that are missing, or older than their sources, are made. */
export default function buildWhenStale(): void {
  const stale = staleSource(ROOT);
  if (stale === null) return;
  console.info(`\nbuilding, since ${stale} is newer than what was built of it`);
  const built = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}

/** The first source without a built file as new as itself and the compiler's settings; null where there is none. */
export function staleSource(root: string): string | null {
  const { include } = JSON.parse(readFileSync(path.join(root, 'tsconfig.build.json'), 'utf8')) as {
    readonly include: readonly string[];
  };
  const configMs = Math.max(...CONFIGS.map(name => modifiedMs(path.join(root, name))));
  for (const folder of include) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const source = path.join(folder, name);
      if (!/(?<!\.d)\.ts$/.test(source)) continue;
      const builtMs = modifiedMs(path.join(root, 'dist', source.replace(/\.ts$/, '.js')));
      if (builtMs < Math.max(configMs, modifiedMs(path.join(root, source)))) return source;
    }
  }
  return null;
}

/** 0 for a file that is not there. */
function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
