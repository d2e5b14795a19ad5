const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const fs = require('node:fs');
const net = require('node:net');
const { promisify } = require('node:util');

/** The functions that lead out of the process, and the rule of unit tests that each would break. */
const FUNCTIONS = [
  [net.Server.prototype, ['listen'], 'opens no socket'],
  [net.Socket.prototype, ['connect'], 'opens no socket'],
  [dgram.Socket.prototype, ['bind', 'send'], 'opens no socket'],
  [childProcess, ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'], 'starts no process'],
  [fs, ['appendFileSync', 'createWriteStream', 'mkdirSync', 'mkdtempSync', 'writeFileSync'], 'writes no file'],
  [fs.promises, ['appendFile', 'mkdir', 'mkdtemp', 'writeFile'], 'writes no file'],
];

let isForbidden = false;

function guarded(original, check) {
  function guard(...given) {
    check();
    return new.target ? Reflect.construct(original, given) : Reflect.apply(original, this, given);
  }
  const properties = Object.getOwnPropertyDescriptors(original);
  const promising = properties[promisify.custom];
  // A function that promises names itself as its promising kind.
  if (promising) promising.value = promising.value === original ? guard : guarded(promising.value, check);
  return Object.defineProperties(guard, properties);
}

// A shared module may keep such a function from its first test on, which may be of any level. So the functions are
// replaced once, before any module runs.
for (const [owner, names, rule] of FUNCTIONS) {
  for (const name of names) {
    owner[name] = guarded(owner[name], () => {
      if (isForbidden) throw new Error(`a unit test ${rule}: what calls ${name} belongs to the level int`);
    });
  }
}

exports.forbidOutside = isUnitTest => {
  isForbidden = isUnitTest;
};
