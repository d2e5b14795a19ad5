import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import path from 'node:path';
import { version as nestVersion } from '@nestjs/core/package.json';
import { version as fastifyVersion } from 'fastify/package.json';
import { Customer } from '../test/support/customer';
import { runCli } from '../test/support/command-line';
import { embeddedLogSize } from '../test/support/embedded-log';
import { Merchant } from '../test/support/merchant';
import { eventually, freePort, ServiceProcess } from '../test/support/service-process';
import { WebhookReceiver } from '../test/support/webhook-receiver';
import { post } from './http-post';
import { cpuTicks, inFlight, median } from './measure';

const CONCURRENCY = 32;
/** So many payments that the compiler is done with either side before the first round that counts. */
const ROUND = 6_000;
/** A tick is ten milliseconds, so cheap work is done more often. */
const NOOP_ROUND = 24_000;
const ROUNDS = 7;
/** Rounds until both processes run at the speed that they keep. */
const WARM_UP_ROUNDS = 3;
/** Linux counts the time of processes in these. */
const MICROSECONDS_A_TICK = 10_000;
/** The pause after a round, until its consequences have been worked off. */
const CONSEQUENCES_MS = 1_000;
const REST_MS = 2_000;
/** Payments of one batch, which go from creation to confirmation side by side. */
const LIFECYCLES = 5;
const BATCHES = 4;
const LIMIT_MS = 60_000;

export type PaymentCost = {
  /** R1: CPU of a created payment and its consequences, over that of a request that does nothing. */
  readonly createOverNoop: number;
  /** R12: appended events of one payment from its creation to its last webhook, and their size on disk. */
  readonly eventsPerLifecycle: number;
  readonly kibPerLifecycle: number;
};

export async function paymentCost(): Promise<PaymentCost> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  const receiver = await WebhookReceiver.start();
  const service = await ServiceProcess.start({ dataFolder, port: await freePort(), env: { RATE_LIMITS: 'off' } });
  const noop = await startNoop();
  try {
    const merchant = await Merchant.register(dataFolder, service.baseUrl);
    const createOverNoop = await compareCpu(service, merchant, noop);
    await merchant.verifyWallet('base');
    await merchant.listenWith(receiver);
    await merchant.routeTo('USDC', 'base');
    const customer = Customer.onSandbox(dataFolder, 'base');
    console.log(`R12   over ${LIFECYCLES} payments each, in the embedded log's tables and indexes by dbstat`);
    const batches: Omit<PaymentCost, 'createOverNoop'>[] = [];
    while (batches.length < BATCHES) batches.push(await lifecycles(dataFolder, merchant, customer, receiver));
    customer.close();
    return {
      createOverNoop,
      eventsPerLifecycle: mean(batches.map(({ eventsPerLifecycle }) => eventsPerLifecycle)),
      kibPerLifecycle: mean(batches.map(({ kibPerLifecycle }) => kibPerLifecycle)),
    };
  } finally {
    noop.child.kill('SIGKILL');
    await service.kill('SIGTERM');
    await runCli(dataFolder, ['sandbox', 'stop']);
    await receiver.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function lifecycles(dataFolder: string, ...parties: Parameters<typeof payThrough>) {
  const before = embeddedLogSize(dataFolder);
  await payThrough(...parties);
  const after = embeddedLogSize(dataFolder);
  const eventsPerLifecycle = (after.events - before.events) / LIFECYCLES;
  const kibPerLifecycle = (after.bytes - before.bytes) / LIFECYCLES / 1_024;
  console.log(`      ${eventsPerLifecycle.toFixed(1)} events, ${kibPerLifecycle.toFixed(1)} KiB`);
  return { eventsPerLifecycle, kibPerLifecycle };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type Noop = { readonly child: ChildProcess; readonly url: string };

async function startNoop(): Promise<Noop> {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(__dirname, 'noop-server.js')], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/noop`;
  await eventually('the no-op server', LIMIT_MS, async () => {
    return fetch(url, { method: 'POST' }).then(
      () => true,
      () => null,
    );
  });
  return { child, url };
}

async function compareCpu(service: ServiceProcess, merchant: Merchant, noop: Noop): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const body = JSON.stringify({ amount: '2500', currency: 'EUR' });
  const create = { url: `${service.baseUrl}/v1/payment_intents`, pid: service.pid, key: merchant.key, count: ROUND };
  const nothing = { url: noop.url, pid: noop.child.pid as number, key: null, count: NOOP_ROUND };
  const cost = async ({ url, pid, key, count }: typeof create | typeof nothing): Promise<number> => {
    const atRest = await ticksAtRest(pid);
    const [before, startedAt] = [cpuTicks(pid), performance.now()];
    await inFlight(count, CONCURRENCY, () => post(agent, url, body, key));
    await setTimeout(CONSEQUENCES_MS);
    const ticks = cpuTicks(pid) - before - (atRest * (performance.now() - startedAt)) / REST_MS;
    return (ticks * MICROSECONDS_A_TICK) / count;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    await cost(nothing);
    await cost(create);
  }
  const ratios: number[] = [];
  console.log(`R1    over the no-op of bare @nestjs/core ${nestVersion} and fastify ${fastifyVersion}`);
  while (ratios.length < ROUNDS) {
    const [ours, theirs] = [await cost(create), await cost(nothing)];
    ratios.push(ours / theirs);
    console.log(
      `      ${ours.toFixed(0).padStart(8)} us over ${theirs.toFixed(1).padStart(6)} us = ${(ours / theirs).toFixed(2)}`,
    );
  }
  agent.destroy();
  return median(ratios);
}

/** Looks at chains and clocks, which no request causes. */
async function ticksAtRest(pid: number): Promise<number> {
  const before = cpuTicks(pid);
  await setTimeout(REST_MS);
  return cpuTicks(pid) - before;
}

async function payThrough(merchant: Merchant, customer: Customer, receiver: WebhookReceiver): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < LIFECYCLES; n++) {
    const { id } = await merchant.createIntent('2500', 'EUR');
    const { payment_method: method } = await merchant.selectMethod(id, 'usdc-base');
    await customer.pay(String(method.token_contract), String(method.address), String(method.token_amount_base_units));
    await receiver.waitFor('payment.detected', id, LIMIT_MS);
    ids.push(id);
  }
  for (const id of ids) await receiver.waitFor('payment.confirming', id, LIMIT_MS);
  await customer.mine(12);
  for (const id of ids) await receiver.waitFor('payment.confirmed', id, LIMIT_MS);
}
