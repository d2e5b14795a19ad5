import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandsPerSecond, embeddedSide, eventStoreDbSide } from '../../dist/bench/command-sides.js';
import { commit, notMeasured, ratioOf, report } from '../../dist/bench/measure.js';

const INSTALLED = path.join(import.meta.dirname, 'node_modules');
/** Both of the peers take their commands by it. */
const CORE = '@event-driven-io/emmett';
const ROUNDS = 7;
/** Commands of one round, by how many payments are under way: one at a time takes the longest by far. */
const COMMANDS = { 1: 300, 32: 1_200 };

const ENGINES = [
  {
    what: 'SQLite with read models',
    peer: '@event-driven-io/emmett-sqlite',
    open: async () => [embeddedSide(), await (await import('./sqlite-side.mjs')).sqliteSide()],
    gates: { 1: 2, 32: 8 },
  },
  {
    what: 'SQLite with read models, the peer with one connection that is kept open',
    peer: '@event-driven-io/emmett-sqlite',
    open: async () => [embeddedSide(), await (await import('./sqlite-side.mjs')).oneConnectionSide()],
    gates: null,
  },
  {
    what: 'the real engine, no read models',
    peer: '@event-driven-io/emmett-esdb',
    open: async url => [await eventStoreDbSide(url), (await import('./esdb-side.mjs')).esdbSide(url)],
    gates: { 1: 1, 32: 1 },
    needs: 'EVENTSTORE_URL',
  },
];

/** Both sides of one figure in turns, so that the machine's other work falls on both. */
async function compare([ours, theirs], workload, concurrency) {
  const round = side => commandsPerSecond(side, workload, COMMANDS[concurrency], concurrency);
  await round(theirs);
  await round(ours);
  const rounds = [];
  while (rounds.length < ROUNDS) rounds.push({ ours: await round(ours), theirs: await round(theirs) });
  return rounds;
}

async function main() {
  console.log(`commit ${commit()}`);
  if (!existsSync(INSTALLED)) return notMeasured('R18', 'npm run --prefix bench/peers setup installs the peers');
  for (const { what, peer, open, gates, needs } of ENGINES) {
    const url = needs && process.env[needs];
    if (needs && !url) {
      notMeasured('R18', `${needs} names no real engine`);
      continue;
    }
    const sides = await open(url);
    try {
      for (const workload of ['create', 'life']) {
        for (const concurrency of [1, 32]) {
          const figure = {
            id: 'R18',
            what: `commands a second, ${workload}, ${concurrency} in flight, ${what}`,
            gate: { atLeast: gates ? gates[concurrency] : 0 },
          };
          const rounds = await compare(sides, workload, concurrency);
          if (!report(ratioOf(figure, `${versionOf(peer)} with ${versionOf(CORE)}`, rounds))) process.exitCode = 1;
        }
      }
    } finally {
      for (const side of sides) await side.close();
    }
  }
}

function versionOf(name) {
  const { version } = JSON.parse(readFileSync(path.join(INSTALLED, name, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}

await main();
