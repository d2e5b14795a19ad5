const { spawnSync } = require('node:child_process');
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const BUILD = 'tsconfig.build.json';
const CONFIGS = ['tsconfig.json', BUILD];
/** Scripts for browsers, which the pages' own build bundles. */
const BROWSER = path.join('web', 'browser') + path.sep;
const PAGES = path.join('web', 'build.mjs');
const GUIDES = path.join('docs', 'guides');
/** The last file that the build of the pages writes. */
const BUILT_PAGES = path.join('dist', 'web', 'assets', 'names.json');
/**
 * The compiler spends two fifths of its processor time on clearing memory, and ends before a tenth more memory counts.
 * A project that needs more than the limit is cleared again.
 */
const LESS_CLEARING = { GOGC: 'off', GOMEMLIMIT: '2GiB' };
const COMPILER = path.join('node_modules', 'typescript7', 'bin', 'tsc');

/**
 * Makes what was built anew where that is missing, or older than its sources. Throws Error where that fails. To check
 * the types takes half of the compiler's time.
 */
function buildWhenStale(root, tell, { checksTypes = true } = {}) {
  const stale = staleSource(root);
  if (stale !== null) compile(root, stale, { tell, checksTypes });
  const stalePart = stalePartOfPages(root);
  if (stalePart === null) return;
  const built = spawnSync(process.execPath, [PAGES], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build of the pages failed:\n${built.stdout}${built.stderr}`);
}

function compile(root, stale, { tell, checksTypes }) {
  if (!existsSync(path.join(root, COMPILER)))
    throw new Error(`${stale} is newer than what was built of it, and the compiler is missing: run \`npm ci\``);
  tell(`building, since ${stale} is newer than what was built of it`);
  // One thread takes half of the processor time of several, which check the same types each for itself.
  const options = ['--singleThreaded', ...(checksTypes ? [] : ['--noCheck'])];
  const built = spawnSync(process.execPath, [COMPILER, ...options, '-p', BUILD], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...LESS_CLEARING },
  });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}

/** A part of pages that is newer than all that was built of them; null where there is none. */
function stalePartOfPages(root) {
  if (!existsSync(path.join(root, PAGES))) return null;
  const builtMs = modifiedMs(path.join(root, BUILT_PAGES));
  for (const folder of ['web', GUIDES]) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const source = path.join(folder, name);
      const isPart = source.startsWith(BROWSER) || /\.(?:css|json|md|mjs)$/.test(source);
      if (isPart && modifiedMs(path.join(root, source)) > builtMs) return source;
    }
  }
  return null;
}

/** The first source without a built file as new as itself and the compiler's settings; null where there is none. */
function staleSource(root) {
  // An image holds the built files alone.
  if (!existsSync(path.join(root, BUILD))) return null;
  const { include } = JSON.parse(readFileSync(path.join(root, BUILD), 'utf8'));
  const configMs = Math.max(...CONFIGS.map(name => modifiedMs(path.join(root, name))));
  for (const folder of include) {
    // Declarations of a package's types are named by themselves.
    if (folder.endsWith('.d.ts')) continue;
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const source = path.join(folder, name);
      if (!/(?<!\.d)\.tsx?$|\.json$/.test(source) || source.startsWith(BROWSER)) continue;
      // The compiler passes over the packages of a folder of its own, such as the comparison's.
      if (source.split(path.sep).includes('node_modules')) continue;
      const builtMs = modifiedMs(path.join(root, 'dist', source.replace(/\.tsx?$/, '.js')));
      // The compiler copies only the data that a source imports.
      if (builtMs === 0 && source.endsWith('.json')) continue;
      if (builtMs < Math.max(configMs, modifiedMs(path.join(root, source)))) return source;
    }
  }
  return null;
}

/** 0 for a file that is not there. */
function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

module.exports = { LESS_CLEARING, buildWhenStale, stalePartOfPages, staleSource };
