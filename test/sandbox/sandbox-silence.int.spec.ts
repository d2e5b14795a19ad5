import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../src/kernel/clock';
import { isRunning } from '../../src/sandbox/anvil-process';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { RecordingLog } from '../support/fixture-doubles';
import { startSandbox, temporaryFolder } from './local-chain';

const WAITING = 'the local chain runs and does not answer: this start waits for it';
/** Longer than one question to the chain may take. */
const SILENCE_MS = 6_500;

describe('a local chain whose process stands still', () => {
  let folder: string;
  let remove: () => void;
  let first: SandboxChain;
  let log: RecordingLog;
  let timer: NodeJS.Timeout | undefined;

  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    log = new RecordingLog();
    first = await startSandbox(folder);
    process.kill(first.pid, 'SIGSTOP');
    await silence(first.rpcUrl);
  });

  afterEach(async () => {
    clearTimeout(timer);
    if (isRunning(first.pid)) process.kill(first.pid, 'SIGKILL');
    await SandboxChain.stopFolder(folder);
    remove();
  });

  const waits = () => log.lines.filter(({ message }) => message === WAITING);

  test('is waited for by a process that starts, and found', async () => {
    timer = setTimeout(() => process.kill(first.pid, 'SIGCONT'), SILENCE_MS);
    const second = await startSandbox(folder, { log });
    expect([second.fresh, second.pid, second.genesisHash]).toEqual([false, first.pid, first.genesisHash]);
    expect(await first.headNumber()).toBeGreaterThanOrEqual(0);
    expect(waits()).toHaveLength(1);
    expect(waits()[0]?.facts).toMatchObject({ network: 'bnb', pid: first.pid });
  }, 40_000);

  test('is replaced once its process has ended', async () => {
    timer = setTimeout(() => process.kill(first.pid, 'SIGKILL'), SILENCE_MS);
    const second = await startSandbox(folder, { log });
    expect(second.fresh).toBe(true);
    expect(waits()).toHaveLength(1);
  }, 40_000);

  test('is left as it is where it never answers: the start is refused and names the process', async () => {
    const outcome = startSandbox(folder, { log, clock: hurried() });
    await expect(outcome).rejects.toMatchObject({ code: 'provider_unavailable' });
    await expect(outcome).rejects.toThrow(`process ${first.pid}`);
    expect(isRunning(first.pid)).toBe(true);
    process.kill(first.pid, 'SIGCONT');
    expect((await startSandbox(folder)).genesisHash).toBe(first.genesisHash);
  }, 40_000);
});

test('a program that runs and never answers is given up by the clock, however few looks that takes', async () => {
  const { folder, remove } = temporaryFolder();
  const programs = temporaryFolder();
  const anvilPath = path.join(programs.folder, 'silent');
  writeFileSync(anvilPath, '#!/bin/sh\nexec sleep 60\n', { mode: 0o700 });
  const clock = hurried();
  try {
    await expect(startSandbox(folder, { anvilPath, clock })).rejects.toMatchObject({ code: 'provider_unavailable' });
    // The end of the process takes some of these waits.
    expect(clock.waits()).toBeLessThan(20);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    remove();
    programs.remove();
  }
}, 40_000);

/** Each wait takes half a minute of it. */
function hurried(): Clock & { waits(): number } {
  const clock = new SystemClock();
  let waits = 0;
  return {
    waits: () => waits,
    now: () => clock.now() + waits * 30_000,
    wait: async delayMs => {
      waits++;
      await clock.wait(delayMs);
    },
  };
}

/** Resolves once a question finds no answer: a busy machine stops a process some time after the signal. */
async function silence(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'Content-Type': 'application/json' };
  for (;;) {
    try {
      await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(500) });
    } catch {
      return;
    }
  }
}
