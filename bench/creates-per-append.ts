import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { runCli } from '../test/support/command-line';
import { Merchant } from '../test/support/merchant';
import { freePort, ServiceProcess } from '../test/support/service-process';
import { post } from './http-post';
import { inFlight, type RatioRound } from './measure';
import { CREATE } from './payment-commands';

const CONCURRENCY = 32;
const ROUND = 1_000;
const ROUNDS = 7;
const METADATA_BYTES = 700;

/**
 * R17: payments created a second over HTTP, by one process of all roles on the real engines, over a bare client's
 * appends a second.
 */
export async function createsPerAppend(engines: {
  readonly EVENTSTORE_URL: string;
  readonly MONGODB_URL: string;
}): Promise<readonly RatioRound[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  const env = { ...engines, RATE_LIMITS: 'off' };
  const service = await ServiceProcess.start({ dataFolder, port: await freePort(), env });
  const client = EventStoreDBClient.connectionString(engines.EVENTSTORE_URL);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  try {
    const merchant = await Merchant.register(dataFolder, service.baseUrl, undefined, env);
    const body = JSON.stringify({ amount: '2500', currency: 'EUR' });
    const creates = () => perSecond(() => post(agent, `${service.baseUrl}/v1/payment_intents`, body, merchant.key));
    const appends = () => perSecond(() => appendBare(client));
    await appends();
    await creates();
    const rounds: RatioRound[] = [];
    while (rounds.length < ROUNDS) rounds.push({ ours: await creates(), theirs: await appends() });
    return rounds;
  } finally {
    agent.destroy();
    await client.dispose();
    await service.kill('SIGTERM');
    await runCli(dataFolder, ['sandbox', 'stop'], env);
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function perSecond(act: () => Promise<unknown>): Promise<number> {
  const startedAt = process.hrtime.bigint();
  await inFlight(ROUND, CONCURRENCY, act);
  return (ROUND * 1e9) / Number(process.hrtime.bigint() - startedAt);
}

let appended = 0;

/** One event as long as a payment's first, to a stream of its own. */
function appendBare(client: EventStoreDBClient): Promise<unknown> {
  const metadata = { note: 'x'.repeat(METADATA_BYTES) };
  const event = jsonEvent({ type: 'PaymentIntentCreated', data: CREATE.command, metadata });
  const stream = `raw-${process.pid}-${Date.now()}-${appended++}`;
  return client.appendToStream(stream, event as never, { expectedRevision: NO_STREAM });
}
