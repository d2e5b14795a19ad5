import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '../../src/kernel/ports/log';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { SandboxChain, type SandboxOptions } from '../../src/sandbox/sandbox-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A folder of its own, gone at `remove`. */
export function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'chain-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function startSandbox(dataFolder: string, options: Partial<SandboxOptions> = {}): Promise<SandboxChain> {
  const defaults = { network: 'bnb', clock: new SystemClock(), log: silentLog } as const;
  return SandboxChain.start({ ...defaults, dataFolder, ...options });
}

/** A chain on which a block comes only when the test asks for it, and the adapter that watches it. */
export async function startStillChain(network: 'bnb' | 'base' = 'bnb') {
  const { folder, remove } = temporaryFolder();
  const sandbox = await startSandbox(folder, { network, blockTimeSeconds: null });
  const chain = new EvmChain({ network, mode: 'test', urls: [sandbox.rpcUrl] });
  const stop = async () => {
    await sandbox.stop();
    remove();
  };
  return { sandbox, chain, stop };
}
