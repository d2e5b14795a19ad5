const { closeSync, openSync, renameSync, writeSync } = require('node:fs');
const path = require('node:path');
const { Script, constants } = require('node:vm');
const { handlePotentialSyntaxError } = require('@jest/transform');
const { default: Runtime } = require('jest-runtime');
const writeFileAtomic = require('write-file-atomic');
const oneAtATime = require('./one-at-a-time.cjs');

const ROOT = path.join(__dirname, '..', '..');
/** Tests and the modules that only tests use run anew for each test file. */
const OF_TESTS = ['bench', 'test'].map(folder => path.join(ROOT, folder, path.sep));
/** The one exception: it keeps the compiled contract. */
const KEPT = path.join(ROOT, 'test', 'support', 'contract-compilers.ts');
/** The files of jest that run tests, and keep the state of a test file: these run anew as well. */
const CIRCUS = /\/node_modules\/jest-circus\//;
/** Files kept by a worker; the service, its packages and all tests' own modules are some four thousand. */
const FILES_LIMIT = 10_000;
/** Places of modules kept by a worker: one for each module's name in each file that asks for it. */
const PLACES_LIMIT = 50_000;

/** The scripts of this worker, by file: each is compiled once. */
const scripts = new Map();
/** Modules and texts kept by a worker, by resolver. A watching run has another resolver after each change. */
const found = new WeakMap();
/** The runtime of the test file that runs now. */
let current = null;

/**
 * Jest's own way to write what it has transformed listens for the end of the process, for each of thousands of files.
 * A file appears whole or not at all, as there.
 */
writeFileAtomic.sync = (file, text) => {
  const partial = `${file}.${process.pid}`;
  const opened = openSync(partial, 'w');
  writeSync(opened, text);
  closeSync(opened);
  renameSync(partial, file);
};

function scriptOf(source, filename, parameters) {
  const known = scripts.get(filename);
  if (known?.source === source) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${head}${source}\n})`, {
    filename,
    columnOffset: -head.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (scripts.size >= FILES_LIMIT) scripts.clear();
  scripts.set(filename, { source, script });
  return script;
}

function keptOf(resolver) {
  const known = found.get(resolver);
  if (known) return known;
  const kept = { sources: new Map(), maps: new Map(), places: new Map(), modules: new Map(), modulesOfJest: new Map() };
  found.set(resolver, kept);
  return kept;
}

/** Jest reads each module's source and its cached transformation from disk for each test file. */
function keepSources(transformCache, { sources, maps }) {
  const transform = transformCache.transform.bind(transformCache);
  // A fault in a shared module is told by the lines of its source, whichever test file loaded the module.
  transformCache.sourceMaps = maps;
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
    return known.code;
  };
}

/**
 * Jest reads, compiles and runs each module anew for each test file, and that is most of a short test file's cost.
 * Here a worker runs the modules of the service, of its packages and of jest once, for all its test files.
 */
module.exports = {
  __esModule: true,
  default: class CompileOnceRuntime extends Runtime {
    #kept = null;

    constructor(...args) {
      super(...args);
      const [, environment, resolver, , , { collectCoverage }] = args;
      const { executor, requireBuilder } = this;
      executor.compile = (source, filename) => {
        if (environment.getVmContext() === null) return null;
        try {
          return scriptOf(source, filename, executor.injectedModuleParameters).runInThisContext();
        } catch (error) {
          throw handlePotentialSyntaxError(error);
        }
      };
      current = this;
      // A shared module may ask for another one long after the test file that loaded it has ended.
      requireBuilder.requireDispatch = (from, name) => current.requireModuleOrMock(from, name);
      requireBuilder.requireInternal = (from, name) => current.requireInternalModule(from, name);
      // Coverage counts the runs of each test file.
      if (!collectCoverage) this.#keep(keptOf(resolver));
    }

    #keep(kept) {
      this.#kept = kept;
      keepSources(this.transformCache, kept);
      if (kept.places.size >= PLACES_LIMIT) kept.places.clear();
      this._resolution.cjsCache = kept.places;
      // The end of a test file empties its own cache, which is now the worker's.
      this._resolution.clear = () => {
        this._resolution.esmCache.clear();
        this._resolution.manualMockCache.clear();
      };
    }

    requireModule(from, name, options, ...more) {
      if (name === 'node:async_hooks' && CIRCUS.test(from)) return oneAtATime;
      if (this.#kept === null || this._resolution.isCoreModule(name ?? from)) {
        return super.requireModule(from, name, options, ...more);
      }
      const place = this._resolution.resolveCjs(from, name);
      const { modules, modulesOfJest } = this.#kept;
      const isOfJest = options?.isInternalModule ?? false;
      if (isOfJest ? CIRCUS.test(place) : !this.#isOfService(place)) {
        return super.requireModule(from, name, options, ...more);
      }
      return this.#shared(isOfJest ? modulesOfJest : modules, place, from, name, options);
    }

    #isOfService(place) {
      if (place === KEPT) return true;
      return !this.registries.isIsolated() && !OF_TESTS.some(folder => place.startsWith(folder));
    }

    #shared(modules, place, from, name, options) {
      const known = modules.get(place);
      if (known !== undefined) return known.exports;
      const folder = path.dirname(place);
      const module = { children: [], exports: {}, filename: place, id: place, loaded: false, path: folder };
      modules.set(place, module);
      try {
        this.cjsLoader.loadModule(module, from, name, place, options, modules);
      } catch (error) {
        modules.delete(place);
        throw error;
      }
      return module.exports;
    }
  },
};
