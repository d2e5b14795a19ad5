const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const fs = require('node:fs');
const net = require('node:net');
const { TestEnvironment } = require('jest-environment-node');

/** The functions that a unit test must not call, and the rule that each would break. */
const OUTSIDE = [
  [net.Server.prototype, ['listen'], 'opens no socket'],
  [net.Socket.prototype, ['connect'], 'opens no socket'],
  [dgram.Socket.prototype, ['bind', 'send'], 'opens no socket'],
  [childProcess, ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'], 'starts no process'],
  [fs, ['appendFileSync', 'createWriteStream', 'mkdirSync', 'mkdtempSync', 'writeFileSync'], 'writes no file'],
  [fs.promises, ['appendFile', 'mkdir', 'mkdtemp', 'writeFile'], 'writes no file'],
];

/**
 * While a unit test runs, every function that leads out of the process throws. A worker also runs tests of other
 * levels.
 */
module.exports = class UnitEnvironment extends TestEnvironment {
  #allowed = [];

  async setup() {
    await super.setup();
    for (const [owner, names, rule] of OUTSIDE) {
      for (const name of names) {
        this.#allowed.push([owner, name, owner[name]]);
        owner[name] = () => {
          throw new Error(`a unit test ${rule}: what calls ${name} belongs to the level int`);
        };
      }
    }
  }

  async teardown() {
    for (const [owner, name, original] of this.#allowed) owner[name] = original;
    await super.teardown();
  }
};
