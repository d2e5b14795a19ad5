import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { silentLog } from './local-chain';

export type StartedChain = {
  readonly network: string;
  readonly pid: number;
  readonly genesisHash: string;
  readonly fresh: boolean;
};

/** Starts the local chains of a folder at that moment; answers which ones it came to. */
export async function startedAt(startMs: number, dataFolder: string): Promise<readonly StartedChain[]> {
  await sleep(Math.max(0, startMs - Date.now()));
  const clock = new SystemClock();
  const chains: StartedChain[] = [];
  for (const network of ['bnb', 'base'] as const) {
    const { pid, genesisHash, fresh } = await SandboxChain.start({ dataFolder, network, clock, log: silentLog });
    chains.push({ network, pid, genesisHash, fresh });
  }
  return chains;
}
