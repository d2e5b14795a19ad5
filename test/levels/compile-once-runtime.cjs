const { createRequire } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const oneAtATime = require('./one-at-a-time.cjs');

/** A real dynamic import needs the loader that jest hands to each compilation. */
const IMPORTS = /\bimport\s*\(/;
/** The files of jest that run tests. */
const CIRCUS = /\/node_modules\/jest-circus\//;
/** The module that a worker runs once, outside of all test files' contexts: it keeps the compiled contract. */
const KEPT = path.join(__dirname, '..', 'support', 'contract-compilers.ts');
/** Files kept by a worker; the service, its packages and all tests' own modules are some four thousand. */
const FILES_LIMIT = 10_000;
/** Places of modules kept by a worker: one for each module's name in each file that asks for it. */
const PLACES_LIMIT = 50_000;

/** The scripts of this worker, by file: each is compiled once, and runs anew in the context of each test file. */
const scripts = new Map();
/** The sources read and the places found, by resolver. A watching run has another resolver after each change. */
const found = new WeakMap();

/** The last run of the kept module. A watching run runs it again after a change. */
let lastKept = { code: null, module: { exports: {} } };

function keptExports(code) {
  if (lastKept.code === code) return lastKept.module.exports;
  const module = { exports: {} };
  const run = new Script(`(function (module, exports, require) {${code}\n})`, { filename: KEPT }).runInThisContext();
  run(module, module.exports, createRequire(KEPT));
  lastKept = { code, module };
  return module.exports;
}

/** Null where jest has to compile the source itself. */
function scriptOf(source, filename, parameters) {
  const known = scripts.get(filename);
  if (known?.source === source) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = IMPORTS.test(source)
    ? null
    : new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  if (scripts.size >= FILES_LIMIT) scripts.clear();
  scripts.set(filename, { source, script });
  return script;
}

/** Jest reads each module's source and its cached transformation from disk for each test file. */
function keepSources(transformCache, sources) {
  const transform = transformCache.transform.bind(transformCache);
  transformCache.transform = (filename, options) => {
    // Modules of jest itself are read with options of their own.
    if (options !== undefined) return transform(filename, options);
    const known = sources.get(filename);
    if (known === undefined) {
      const code = transform(filename);
      if (sources.size >= FILES_LIMIT) sources.clear();
      sources.set(filename, transformCache.transforms.get(filename));
      return code;
    }
    transformCache.transforms.set(filename, known);
    if (known.sourceMapPath) transformCache.sourceMaps.set(filename, known.sourceMapPath);
    return known.code;
  };
}

/**
 * Jest reads, looks up and compiles each module anew for each test file, and that is most of a short test file's cost.
 * Modules still run anew for each test file: only their sources, places and compiled code are kept.
 */
module.exports = {
  __esModule: true,
  default: class CompileOnceRuntime extends Runtime {
    constructor(...args) {
      super(...args);
      const [, environment, resolver, , , { collectCoverage }] = args;
      const { executor } = this;
      const compile = executor.compile.bind(executor);
      executor.compile = (source, filename) => {
        const context = environment.getVmContext();
        if (context === null || executor.resolution.isCoreModule(filename)) return compile(source, filename);
        try {
          const script = scriptOf(source, filename, executor.injectedModuleParameters);
          if (script !== null) return script.runInContext(context);
        } catch {
          // Jest explains the fault of the source.
        }
        return compile(source, filename);
      };
      if (collectCoverage) return;
      const kept = found.get(resolver) ?? { sources: new Map(), places: new Map() };
      found.set(resolver, kept);
      keepSources(this.transformCache, kept.sources);
      if (kept.places.size >= PLACES_LIMIT) kept.places.clear();
      this._resolution.cjsCache = kept.places;
      // The end of a test file empties its own cache, which is now the worker's.
      this._resolution.clear = () => {
        this._resolution.esmCache.clear();
        this._resolution.manualMockCache.clear();
      };
    }

    requireModule(from, name, ...more) {
      if (name === 'node:async_hooks' && CIRCUS.test(from)) return oneAtATime;
      if (name?.endsWith('/contract-compilers')) return keptExports(this.transformCache.transform(KEPT));
      return super.requireModule(from, name, ...more);
    }
  },
};
