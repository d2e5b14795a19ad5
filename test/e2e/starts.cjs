// Starts the built service for each line of standard input: in JSON, its variables, and whether it ends the process as
// by itself. All starts share a process, since most of a start is the loading of modules. At each other end standard
// error has a line: the mark, and the exit code.
const { writeSync } = require('node:fs');
const { createInterface } = require('node:readline');

const CODE_CACHE = require.resolve('../support/code-cache.cjs');
const [, , main, mark] = process.argv;
const { exit } = process;
const own = { ...process.env };

// The compiled modules of the service's own process are of use here as well.
process.argv[1] = main;
delete require.cache[CODE_CACHE];
require(CODE_CACHE);

/** Resolves to the code with which the service would end its process. */
function codeOf({ variables, endsProcess = false }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, own, variables);
  return new Promise(resolve => {
    process.exit = endsProcess ? exit : resolve;
    delete require.cache[main];
    require(main);
  });
}

async function run() {
  for await (const line of createInterface({ input: process.stdin })) {
    const code = await codeOf(JSON.parse(line));
    writeSync(2, `${mark} ${code}\n`);
  }
  exit(0);
}

void run();
