import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { silentLog } from './local-chain';

/** Starts the local chains of a folder at a moment that other processes share, and prints which ones it came to. */
async function main(): Promise<void> {
  const [, , dataFolder = '', startMs = '0'] = process.argv;
  await sleep(Number(startMs) - Date.now());
  const clock = new SystemClock();
  const chains: unknown[] = [];
  for (const network of ['bnb', 'base'] as const) {
    const { pid, genesisHash, fresh } = await SandboxChain.start({ dataFolder, network, clock, log: silentLog });
    chains.push({ network, pid, genesisHash, fresh });
  }
  process.stdout.write(`${JSON.stringify(chains)}.\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stdout.write(`${JSON.stringify(String(error))}.\n`);
    process.exit(1);
  },
);
