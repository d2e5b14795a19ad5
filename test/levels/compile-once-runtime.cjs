const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** A real dynamic import needs the loader that jest hands to each compilation. */
const IMPORTS = /\bimport\s*\(/;
/** Scripts kept by a worker; the service, its packages and all tests' own modules are some four thousand. */
const SCRIPTS_LIMIT = 10_000;

/** The scripts of this worker, by file: each is compiled once, and runs anew in the context of each test file. */
const scripts = new Map();

function scriptOf(source, filename, parameters) {
  const known = scripts.get(filename);
  if (known?.source === source) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  if (scripts.size >= SCRIPTS_LIMIT) scripts.clear();
  scripts.set(filename, { source, script });
  return script;
}

/**
 * Jest compiles each module anew for each test file, and that is most of what a short test file costs. Modules still
 * run anew for each test file: only the compiled code is kept.
 */
module.exports = {
  __esModule: true,
  default: class CompileOnceRuntime extends Runtime {
    constructor(...args) {
      super(...args);
      const { executor, _environment: environment } = this;
      const compile = executor.compile.bind(executor);
      executor.compile = (source, filename) => {
        const context = environment.getVmContext();
        if (context === null || IMPORTS.test(source) || executor.resolution.isCoreModule(filename))
          return compile(source, filename);
        try {
          return scriptOf(source, filename, executor.injectedModuleParameters).runInContext(context);
        } catch {
          // Jest explains what is wrong with the source.
          return compile(source, filename);
        }
      };
    }
  },
};
