import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { isoTime, SECOND_MS, type Clock } from '../kernel/clock';
import { isRefusal, refuse } from '../vocabulary/errors';
import { NoAnswer } from '../platform/outbound/http-client';
import { JsonRpc } from '../platform/chains/evm/json-rpc';
import { hash, quantity } from '../platform/chains/evm/rpc-shapes';
import { anvilProgram } from './anvil-program';
import { anvilUrl, endProcess, freePort, isAnvilOn, isRunning, spawnAnvil, type AnvilProcess } from './anvil-process';
import { ACCOUNT_COUNT, DEVELOPMENT_PHRASE } from './sandbox-accounts';
import type { SandboxTraits } from './sandbox-networks';
import type { SandboxFiles, SandboxRecord } from './sandbox-record';

const RPC_TIMEOUT_MS = 5 * SECOND_MS;
const READY_WAIT_MS = 10 * SECOND_MS;
const READY_POLL_MS = 10;
/** A shorter time than other processes wait for their turn to start the chain. */
const SILENCE_PATIENCE_MS = 30 * SECOND_MS;
const SILENCE_POLL_MS = 200;
/** Another process may take a free port before the node does. */
const PORT_TRIES = 3;
const LEAST_GAS_LIMIT = 30_000_000;
const GAS_LIMIT_VARIANTS = 2 ** 24;

const genesisBlock = z.object({ hash, gasLimit: quantity });

type NodeOptions = {
  readonly files: SandboxFiles;
  readonly traits: SandboxTraits;
  readonly anvilPath: string | null;
  readonly blockTimeSeconds: number | null;
  readonly clock: Clock;
};

export type SandboxNode = {
  readonly pid: number;
  readonly port: number;
  readonly genesisHash: string;
  readonly rpc: JsonRpc;
};

/**
 * The node of an earlier start, while it is the chain that the record says. `silent`: its process runs, and the node
 * does not answer. `gone`: neither that process nor that chain is there any more.
 */
type Recorded = SandboxNode | 'silent' | 'gone';

/**
 * Waits for a node that runs and does not answer. Its process may be paused, or the machine be busy, and other
 * processes count on this very chain. `onWait` is called once before the first wait. Null where the node is gone.
 * Throws Refusal provider_unavailable where the node stays silent.
 */
export async function foundNode(
  record: SandboxRecord,
  { files, traits, clock }: Pick<NodeOptions, 'files' | 'traits' | 'clock'>,
  onWait: () => void,
): Promise<SandboxNode | null> {
  const sinceMs = clock.now();
  for (let looks = 1; ; looks++) {
    const found = await lookAt(record, traits.chainId);
    if (found === 'gone') return null;
    if (found !== 'silent') return found;
    if (clock.now() - sinceMs >= SILENCE_PATIENCE_MS) {
      const place = `process ${record.pid} on port ${record.port}`;
      const message = `The local chain ${files.network} runs as ${place} and does not answer. End it by \`sandbox stop\`.`;
      throw refuse('provider_unavailable', { message });
    }
    if (looks === 1) onWait();
    await clock.wait(SILENCE_POLL_MS);
  }
}

async function lookAt(record: SandboxRecord, chainId: number): Promise<Recorded> {
  const { pid, port, genesis_hash: genesisHash } = record;
  if (genesisHash === null || record.chain_id !== chainId || !isRunning(pid)) return 'gone';
  const rpc = new JsonRpc(anvilUrl(port), RPC_TIMEOUT_MS);
  try {
    const served = await rpc.call('eth_chainId', [], quantity);
    const genesis = await rpc.call('eth_getBlockByNumber', ['0x0', false], genesisBlock);
    return served === chainId && genesis.hash === genesisHash ? { pid, port, genesisHash, rpc } : 'gone';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Where the system says nothing of the process, a listener on the port counts as the node.
    const isThere = isRunning(pid) && (isAnvilOn(pid, port) || isTimeout(error.cause));
    return isThere ? 'silent' : 'gone';
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof NoAnswer && cause.code === 'TimeoutError';
}

/**
 * Ends the node that a record names, when it surely is a local chain. Another program may have its process number
 * since.
 */
export async function endRecorded(record: SandboxRecord, clock: Clock): Promise<boolean> {
  const { pid, port } = record;
  const isOurs =
    isRunning(pid) && (isAnvilOn(pid, port) || typeof (await lookAt(record, record.chain_id)) === 'object');
  if (isOurs) await endProcess(pid, clock);
  return isOurs;
}

/**
 * Starts a node and lets `furnish` put in the chain's tokens; only then does the record name its genesis. A failure
 * leaves nothing behind. Throws Refusal invalid_config without a program, provider_unavailable when the node does not
 * start.
 */
export async function startNode(options: NodeOptions, furnish: (rpc: JsonRpc) => Promise<void>): Promise<SandboxNode> {
  const program = anvilProgram(options.anvilPath);
  for (let attempt = 1; ; attempt++) {
    options.files.prepare();
    const port = await freePort();
    try {
      return await startOn(port, program, options, furnish);
    } catch (error) {
      options.files.remove();
      if (!(error instanceof NodeEnded)) throw error;
      if (attempt >= PORT_TRIES) throw refuse('provider_unavailable', { message: error.message, cause: error });
    }
  }
}

class NodeEnded extends Error {}

async function startOn(
  port: number,
  program: string,
  { files, traits, blockTimeSeconds, clock }: NodeOptions,
  furnish: (rpc: JsonRpc) => Promise<void>,
): Promise<SandboxNode> {
  // The random limit keeps two chains that start in the same second from having the same genesis hash.
  const gasLimit = LEAST_GAS_LIMIT + randomInt(GAS_LIMIT_VARIANTS);
  const accounts = { accounts: ACCOUNT_COUNT, mnemonic: DEVELOPMENT_PHRASE };
  const paths = { program, cacheFolder: files.cache, outputFile: files.output };
  const { chainId, slotsInAnEpoch, open: freeGas } = traits;
  const settings = { port, chainId, blockTimeSeconds, slotsInAnEpoch, freeGas, gasLimit };
  const node = spawnAnvil({ ...settings, ...accounts, ...paths });
  const { pid } = node;
  if (pid === undefined)
    throw refuse('invalid_config', { param: 'ANVIL_PATH', message: `${program} cannot be started.` });
  try {
    const record = { pid, port, chain_id: chainId, started_at: isoTime(clock.now()) };
    files.write({ ...record, genesis_hash: null });
    const rpc = new JsonRpc(anvilUrl(port), RPC_TIMEOUT_MS);
    const genesisHash = await genesisOf(node, rpc, gasLimit, files, clock);
    await furnish(rpc);
    files.write({ ...record, genesis_hash: genesisHash });
    return { pid, port, genesisHash, rpc };
  } catch (error) {
    if (node.ended() === null) await endProcess(pid, clock);
    throw error;
  }
}

async function genesisOf(node: AnvilProcess, rpc: JsonRpc, gasLimit: number, files: SandboxFiles, clock: Clock) {
  const untilMs = clock.now() + READY_WAIT_MS;
  do {
    const ended = node.ended();
    if (ended !== null) throw new NodeEnded(`The local chain ${files.network} ${ended}: ${files.lastOutput()}`);
    try {
      const genesis = await rpc.call('eth_getBlockByNumber', ['0x0', false], genesisBlock);
      if (genesis.gasLimit === gasLimit) return genesis.hash;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    await clock.wait(READY_POLL_MS);
  } while (clock.now() < untilMs);
  throw refuse('provider_unavailable', {
    message: `The local chain ${files.network} does not answer. ${files.lastOutput()}`,
  });
}
