const { spawnSync } = require('node:child_process');
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const BUILD = 'tsconfig.build.json';
const CONFIGS = ['tsconfig.json', BUILD];
const COMPILER = path.join('node_modules', 'typescript7', 'bin', 'tsc');

/** Makes what was built anew where that is missing, or older than its sources. Throws Error where that fails. */
function buildWhenStale(root, tell) {
  const stale = staleSource(root);
  if (stale === null) return;
  if (!existsSync(path.join(root, COMPILER)))
    throw new Error(`${stale} is newer than what was built of it, and the compiler is missing: run \`npm ci\``);
  tell(`building, since ${stale} is newer than what was built of it`);
  // One thread takes half of the processor time of several, which check the same types each for itself.
  const built = spawnSync(process.execPath, [COMPILER, '--singleThreaded', '-p', BUILD], {
    cwd: root,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}

/** The first source without a built file as new as itself and the compiler's settings; null where there is none. */
function staleSource(root) {
  // An image holds the built files alone.
  if (!existsSync(path.join(root, BUILD))) return null;
  const { include } = JSON.parse(readFileSync(path.join(root, BUILD), 'utf8'));
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
function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

module.exports = { buildWhenStale, staleSource };
