import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import type { Clock } from '../kernel/clock';
import { OWNER_ONLY_FILE } from '../platform/embedded-file/owner-only';

const HOST = '127.0.0.1';
const POLL_MS = 20;
const TERM_WAIT_MS = 5_000;
const KILL_WAIT_MS = 2_000;

/**
 * States kept for reorganisations: one more than the deepest. Each holds every block hash so far, so memory grows with
 * this number.
 */
const STATES_KEPT = 32;
export const DEEPEST_REORG = STATES_KEPT - 2;

type AnvilSettings = {
  readonly program: string;
  readonly port: number;
  readonly chainId: number;
  /** Null: blocks are made on demand only. */
  readonly blockTimeSeconds: number | null;
  /** Finalized is two epochs behind the head. */
  readonly slotsInAnEpoch: number;
  /** Without a price, accounts that own nothing can send. */
  readonly freeGas: boolean;
  readonly gasLimit: number;
  readonly accounts: number;
  readonly mnemonic: string;
  /** Scratch folder of the node. */
  readonly cacheFolder: string;
  /** Receives the node's output, which is empty unless it fails. */
  readonly outputFile: string;
};

export type AnvilProcess = {
  readonly pid: number | undefined;
  /** Null while the node runs; after that, how it ended. */
  readonly ended: () => string | null;
};

export function anvilUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/**
 * Starts a node in a session of its own, so that no signal to the service or its terminal ends it. The node gets none
 * of the environment.
 */
export function spawnAnvil(settings: AnvilSettings): AnvilProcess {
  const { program, port, chainId, blockTimeSeconds, gasLimit, accounts, mnemonic, cacheFolder } = settings;
  const { slotsInAnEpoch, freeGas } = settings;
  const mining = blockTimeSeconds === null ? ['--no-mining'] : ['--block-time', String(blockTimeSeconds)];
  const options: Record<string, string | number> = {
    '--host': HOST,
    '--port': port,
    '--chain-id': chainId,
    '--accounts': accounts,
    '--mnemonic': mnemonic,
    '--gas-limit': gasLimit,
    '--order': 'fifo',
    '--slots-in-an-epoch': slotsInAnEpoch,
    ...(freeGas && { '--gas-price': 0, '--block-base-fee-per-gas': 0 }),
    // Without this option the node writes megabytes of states to disk.
    '--prune-history': STATES_KEPT,
    '--cache-path': cacheFolder,
  };
  const args = [...Object.entries(options).flatMap(([name, value]) => [name, String(value)]), ...mining, '--quiet'];
  const output = openSync(settings.outputFile, 'w', OWNER_ONLY_FILE);
  let ended: string | null = null;
  try {
    const child = spawn(program, args, { detached: true, env: {}, stdio: ['ignore', output, output] });
    child.once('error', error => (ended = error.message));
    child.once('exit', (code, signal) => (ended ??= `ended with ${signal ?? `code ${code}`}`));
    child.unref();
    return { pid: child.pid, ended: () => ended };
  } finally {
    closeSync(output);
  }
}

/** A port that was free a moment ago: another program may take it first, and the caller must be ready for that. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/**
 * True where, by the system's own account, the process is a node on this port. False where the system gives no such
 * account.
 */
export function isAnvilOn(pid: number, port: number): boolean {
  const [program, ...args] = procFile(pid, 'cmdline')?.split('\0') ?? [];
  const isOnPort = args.some((arg, index) => arg === '--port' && args[index + 1] === String(port));
  return program?.includes('anvil') === true && isOnPort;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process whose parent never asks for its end stays listed as a zombie: state Z, after the name in brackets.
  const state = procFile(pid, 'stat')?.replace(/^.*\) /s, '')[0];
  return state !== 'Z';
}

/** Asks the process to end, and kills it where it does not. */
export async function endProcess(pid: number, clock: Clock): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', TERM_WAIT_MS],
    ['SIGKILL', KILL_WAIT_MS],
  ] as const) {
    if (!isRunning(pid)) return;
    process.kill(pid, signal);
    for (let waited = 0; waited < waitMs && isRunning(pid); waited += POLL_MS) await clock.wait(POLL_MS);
  }
}

function procFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
