import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Merchant } from '../test/support/merchant';
import { freePort, pause, ServiceProcess } from '../test/support/service-process';
import { post } from './http-post';
import { cpuTicks, inFlight, median } from './measure';

const CONCURRENCY = 32;
const ROUND = 1_000;
const ROUNDS = 7;
/** Work that a round leaves behind must not count for the next one. */
const QUIET_MS = 300;
const QUIET_TICKS = 2;
const QUIET_TRIES = 100;
const ENV = { SANDBOX_CHAINS: 'off', RATE_LIMITS: 'off' };

/** R10: CPU of a replayed POST /v1/payment_intents over the CPU of its first execution, with the same key. */
export async function idempotentReplay(): Promise<number> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  const service = await ServiceProcess.start({ dataFolder, port: await freePort(), env: ENV });
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  try {
    const { key } = await Merchant.register(dataFolder, service.baseUrl);
    const url = `${service.baseUrl}/v1/payment_intents`;
    const body = JSON.stringify({ amount: '2500', currency: 'EUR' });
    const ticks = async (keys: readonly string[]): Promise<number> => {
      await rest(service.pid);
      const before = cpuTicks(service.pid);
      await inFlight(ROUND, CONCURRENCY, index => {
        return post(agent, url, body, key, { 'idempotency-key': keys[index] as string });
      });
      return cpuTicks(service.pid) - before;
    };
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const keys = Array.from({ length: ROUND }, () => randomUUID());
      const first = await ticks(keys);
      const ratio = (await ticks(keys)) / first;
      // The first round is the compiler's.
      if (round > 0) ratios.push(ratio);
    }
    return median(ratios);
  } finally {
    agent.destroy();
    await service.kill('SIGTERM');
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function rest(pid: number): Promise<void> {
  for (let tries = 0; tries < QUIET_TRIES; tries++) {
    const before = cpuTicks(pid);
    await pause(QUIET_MS);
    if (cpuTicks(pid) - before <= QUIET_TICKS) return;
  }
  throw new Error('the service has not come to rest');
}
