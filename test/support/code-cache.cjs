// Keeps what a process has compiled of its modules for the next process. Two thirds of a start's processor time is the
// loading of 2,700 modules. Tests name this file to node's `--require`; no other start does.
const { Buffer } = require('node:buffer');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

const ROOT = path.resolve(__dirname, '..', '..');
/** The programs whose modules are kept; every other one runs as without this file. */
const PROGRAMS = ['dist/src/main.js', 'dist/src/cli/main.js', 'bin/quittance.mjs'].map(file => path.join(ROOT, file));
/** A build replaces what it makes; what was compiled of it lies beside it. */
const FOLDER = path.join(ROOT, 'dist', 'code-cache');
/** A command loads fewer modules of its own than are worth writing. */
const NEW_MODULES = 100;
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
const HEAD = `(function (${PARAMETERS.join(', ')}) {`;
/** A real dynamic import needs the loader that node hands to its own compilation. */
const IMPORTS = /\bimport\s*\(/;
const LENGTH_BYTES = 4;

/** Compiled code is of one engine with one set of flags. All programs share a file, since they share most modules. */
function keptFile() {
  const digest = createHash('sha256');
  digest.update(JSON.stringify([process.version, process.arch, cachedDataVersionTag()]));
  return path.join(FOLDER, digest.digest('hex').slice(0, 16));
}

/** Null where no file is named, or none is there. A program of a package is a link to its file. */
function programOf([, named]) {
  try {
    return realpathSync(named);
  } catch {
    return null;
  }
}

/** Null for a file that is gone. */
function stampOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.mtimeMs} ${found.size}`;
}

/**
 * The modules by file, and the places of required names, by folder and name. Both are empty where any file has changed
 * since: another file may then have the place.
 */
function read(file) {
  const none = { modules: new Map(), places: new Map() };
  try {
    const bytes = readFileSync(file);
    const start = LENGTH_BYTES + bytes.readUInt32LE(0);
    const { rows, places } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start));
    const modules = new Map();
    let at = start;
    const next = length => bytes.subarray(at, (at += length));
    for (const { file: name, stamp, encoding, lengths } of rows) {
      if (stampOf(name) !== stamp) return none;
      modules.set(name, { stamp, encoding, source: next(lengths[0]), code: next(lengths[1]) });
    }
    return at === bytes.length ? { modules, places: new Map(places) } : none;
  } catch {
    return none;
  }
}

/** A file appears whole or not at all, since two workers may write it at once. */
function write(file, modules, places) {
  const rows = [];
  const parts = [];
  for (const [name, { stamp, encoding, source, code }] of modules) {
    rows.push({ file: name, stamp, encoding, lengths: [source.length, code.length] });
    parts.push(source, code);
  }
  const head = Buffer.from(JSON.stringify({ rows, places: [...places] }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  const partial = `${file}.${process.pid}`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(partial, Buffer.concat([length, head, ...parts]));
  renameSync(partial, file);
}

/** Text as bytes that are quickly read again. */
function encoded(text) {
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return { encoding, source: Buffer.from(text, encoding) };
}

/** Runs a module as node does. */
function run(module, filename, script) {
  const require = id => module.require(id);
  const resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  resolve.paths = request => Module._resolveLookupPaths(request, module);
  Object.assign(require, { resolve, main: process.mainModule, extensions: Module._extensions, cache: Module._cache });
  const { exports } = module;
  script.runInThisContext().call(exports, exports, require, module, filename, path.dirname(filename));
}

function keep(file) {
  const { modules, places } = read(file);
  const loaded = new Map();
  let missing = 0;

  const compiled = (filename, stamp, source, code) => {
    const script = new Script(source, { filename, columnOffset: -HEAD.length, cachedData: code });
    if (code === undefined || script.cachedDataRejected) missing += 1;
    loaded.set(filename, { stamp, script, source });
    return script;
  };

  const { _compile: compile } = Module.prototype;
  Module.prototype._compile = function (content, filename, format) {
    let script;
    try {
      if (format === 'module' || IMPORTS.test(content)) throw new Error('node loads it');
      script = compiled(filename, stampOf(filename), `${HEAD}${content}\n})`);
    } catch {
      // Node loads a module of ECMAScript, or explains the fault of the source.
      return compile.call(this, content, filename, format);
    }
    return run(this, filename, script);
  };

  const load = Module._extensions['.js'];
  Module._extensions['.js'] = (module, filename) => {
    const known = modules.get(filename);
    if (known === undefined) return load(module, filename);
    run(module, filename, compiled(filename, known.stamp, known.source.toString(known.encoding), known.code));
  };

  const found = new Map(places);
  const { _resolveFilename: resolveFilename } = Module;
  Module._resolveFilename = function (request, parent, isMain, options) {
    if (options !== undefined || !parent?.filename) return resolveFilename.call(this, request, parent, isMain, options);
    const place = `${parent.path}\0${request}`;
    const known = found.get(place);
    if (known !== undefined) return known;
    const filename = resolveFilename.call(this, request, parent, isMain);
    if (path.isAbsolute(filename)) found.set(place, filename);
    return filename;
  };

  process.once('exit', exitCode => {
    // A start that fails has not compiled what a service runs.
    if (exitCode !== 0 || missing < NEW_MODULES) return;
    for (const [filename, { stamp, script, source }] of loaded) {
      // A file that has changed since its loading is compiled anew by the next process.
      if (stamp === stampOf(filename))
        modules.set(filename, { stamp, ...encoded(source), code: script.createCachedData() });
    }
    try {
      write(
        file,
        modules,
        [...found].filter(([, filename]) => modules.has(filename)),
      );
    } catch {
      // The next process compiles for itself.
    }
  });
}

if (PROGRAMS.includes(programOf(process.argv))) keep(keptFile());
