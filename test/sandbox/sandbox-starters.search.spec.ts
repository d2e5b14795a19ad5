import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { searchSize } from '../levels/search-size';
import { runChild } from '../platform/embedded/child-process';
import { temporaryFolder } from './local-chain';
import { startedAt, type StartedChain } from './started-chains';

/** This process is one of them. */
const STARTERS = searchSize('SANDBOX_STARTERS', { small: 2, full: 5 });
/** The time until all processes have loaded their modules. */
const LOAD_MS = 8_000;

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
});

afterEach(async () => {
  await SandboxChain.stopFolder(folder);
  nodesOf(folder).forEach(pid => process.kill(pid, 'SIGKILL'));
  remove();
});

/** Nodes that run for the folder, whichever process started them. */
function nodesOf(dataFolder: string): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && commandOf(name).includes(dataFolder))
    .map(Number)
    .filter(pid => commandOf(String(pid)).includes('--chain-id'));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('processes that start at once share one chain a network, and its stop leaves none', async () => {
  const startMs = Date.now() + LOAD_MS;
  const starters = Array.from({ length: STARTERS - 1 }, () =>
    runChild('../../sandbox/sandbox-starter.ts', [folder, String(startMs)]),
  );
  const [own] = await Promise.all([startedAt(startMs, folder), ...starters.map(starter => starter.printed(1))]);
  const found = [own, ...starters.map(({ lines }) => JSON.parse(lines[0] as string) as readonly StartedChain[])];
  for (const [index, network] of ['bnb', 'base'].entries()) {
    const chains = found.map(chainsOfOne => chainsOfOne[index]);
    expect(chains.map(chain => chain?.network)).toEqual(found.map(() => network));
    expect(new Set(chains.map(chain => chain?.genesisHash)).size).toBe(1);
    expect(chains.filter(chain => chain?.fresh)).toHaveLength(1);
  }
  expect(nodesOf(folder)).toHaveLength(2);
  expect(await SandboxChain.stopFolder(folder)).toHaveLength(2);
  expect(nodesOf(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);

test('a starter that is killed at its start leaves its turn to the next', async () => {
  const first = runChild('../../sandbox/sandbox-starter.ts', [folder, '0']);
  const record = path.join(folder, 'sandbox-bnb.json');
  while (!existsSync(record)) await sleep(2);
  await first.kill();
  expect(await startedAt(0, folder)).toHaveLength(2);
  expect(nodesOf(folder)).toHaveLength(2);
}, 60_000);

test('a stop waits for a start that is under way, and ends its chain', async () => {
  const starter = runChild('../../sandbox/sandbox-starter.ts', [folder, '0']);
  const [lock, record] = ['lock', 'json'].map(end => path.join(folder, `sandbox-bnb.${end}`)) as [string, string];
  while (!existsSync(lock) && !existsSync(record)) await sleep(2);
  // The lock's file is there a moment before the lock: a stop in between comes first, and finds no chain.
  for (let ended: readonly string[] = []; !ended.includes('bnb');) ended = await SandboxChain.stopFolder(folder);
  await starter.printed(1);
  expect(nodesOf(folder)).toHaveLength(1);
}, 60_000);
