const { AsyncLocalStorage } = require('node:async_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { ModuleMocker } = require('jest-mock');
// Every level replaces the functions that unit tests must not call.
require('./outside.cjs');

// A worker whose work is done ends at once. Otherwise node clears its heap first, for which jest waits 500 ms at most.
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

/** The storages that a test file has used. While one of them is enabled, node calls a function for each promise. */
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    storages.add(this);
    return original.apply(this, given);
  };
}

/**
 * Bytes of heap from which on a file's end clears it. Jest ends a worker by what its heap holds, garbage included. Most
 * of that is garbage, and a new worker loads the service anew, which takes twenty times the time.
 */
const CLEARED_FROM = 700_000_000;
setFlagsFromString('--expose-gc');
const clearHeap = runInNewContext('gc');

/** Names and symbols that jest defines for a test file. Packages keep the names that they define. */
const OF_JEST = new RegExp(
  [
    '^(?:afterAll|afterEach|beforeAll|beforeEach|expect|[fx]?describe|[fx]?it|x?test)$',
    '^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_TIMES)$',
  ].join('|'),
);

/** The listeners of the process, by event. */
function listeners() {
  return new Map(process.eventNames().map(name => [name, process.rawListeners(name)]));
}

/**
 * Test files run in the world of their worker, one after another, so the service's modules can serve all of them. Each
 * file finds the process as the first one found it.
 */
module.exports = class WorkerEnvironment {
  #console = globalThis.console;
  #exit = process.exit;
  #env = { ...process.env };
  #arguments = [...process.argv];
  #folder = process.cwd();
  #listeners = listeners();

  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  async setup() {}

  async teardown() {
    for (const name of Reflect.ownKeys(globalThis)) {
      if (OF_JEST.test(typeof name === 'symbol' ? name.description : name)) delete globalThis[name];
    }
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    process.argv.splice(0, process.argv.length, ...this.#arguments);
    if (process.cwd() !== this.#folder) process.chdir(this.#folder);
    for (const storage of storages) storage.disable();
    storages.clear();
    for (const [name, found] of listeners()) {
      const former = this.#listeners.get(name) ?? [];
      for (const each of found) if (!former.includes(each)) process.removeListener(name, each);
    }
    this.global = null;
    if (process.memoryUsage().heapUsed > CLEARED_FROM) clearHeap();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Null once the file has ended. */
  getVmContext() {
    return this.global;
  }
};
