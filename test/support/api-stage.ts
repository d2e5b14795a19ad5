import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { mirrorWriter, StoredReadModels } from '../../projections/runner/read-models';
import { AppModule } from '../../src/composition/app.module';
import { openCore, type Core, type OpenedCore } from '../../src/composition/core';
import { DAY_MS, isoTime } from '../../src/kernel/clock';
import type { Universe } from '../../src/kernel/event';
import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import type { Chain } from '../../src/kernel/ports/chain';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import type { Screening } from '../../src/kernel/ports/screening';
import { WritePath, type MirrorWriter } from '../../src/kernel/write-path';
import { RegisterMerchant } from '../../src/modules/merchants/commands/register-merchant.command';
import { sweeperOf } from '../../src/composition/background';
import { composePayments } from '../../src/composition/payments';
import { composeSandbox } from '../../src/composition/sandbox';
import type { ApiDocument } from '../../src/platform/docs/api-document';
import { loadConfig } from '../../src/platform/config/config';
import { createHttpApp } from '../../src/platform/http/http-app';
import { IdempotencyRecords } from '../../src/platform/idempotency/idempotency-records';
import { createLogger } from '../../src/platform/logging/logger';
import type { RateLimits } from '../../src/platform/rate-limits/rate-limits';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { operatorContext } from '../../src/cli/operator-context';
import { composeRates } from '../../src/composition/rates';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../src/watchers/coverage-record';
import { composeWalletProofs } from '../../src/composition/wallet-proofs';
import { composeWebhooks } from '../../src/composition/webhooks';
import { HttpCaller } from './http-caller';
import { OpenApiValidation } from './openapi-validation';
import { ScriptedChain } from './scripted-chain';
import { StagedMerchant } from './staged-merchant';

const PROJECTION_LIMIT_MS = 60_000;
const NETWORKS = ['base', 'bnb'] as const;
const CHAIN = 'scripted';
/** Where writing to disk costs nothing: a stage is for what is answered, and its engine need survive nothing. */
const MEMORY_FOLDER = '/dev/shm';
const PASSWORD = 'plum harbour 47 lanterns';

/** The wall's clock and what a test adds to it. */
class SteeredClock implements MerchantClocks {
  aheadMs = 0;

  constructor(private readonly wall: MerchantClocks) {}

  now(): number {
    return this.wall.now() + this.aheadMs;
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.wall.wait(delayMs, signal);
  }

  async merchantNow(universe: Universe, merchantId: string | null): Promise<number> {
    return (await this.wall.merchantNow(universe, merchantId)) + this.aheadMs;
  }

  merchantTimeAt(universe: Universe, merchantId: string | null, wallMs: number): Promise<number> {
    return this.wall.merchantTimeAt(universe, merchantId, wallMs);
  }
}

export type ApiInstance = {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly caller: HttpCaller;
  readonly parts: AppParts;
  /** What both of its networks are watched on. */
  readonly chain: ScriptedChain;
};

type AppParts = Parameters<typeof AppModule.with>[0];
type InstanceOptions = {
  /** Asked for each stream to be mirrored. False: what was written reaches the log alone, as when the put failed. */
  readonly mirrors?: () => boolean;
  /** Without them nothing is limited. */
  readonly rateLimits?: RateLimits;
};

/**
 * One embedded engine in this process, and as many API instances above it as a test starts, each of the service's own
 * parts. Nothing happens by itself: neither watchers nor processes run, and read models move when the test says so.
 */
export class ApiStage {
  private readonly instances: ApiInstance[] = [];
  private merchants = 0;
  private follower: ProjectionRunner | null = null;

  private constructor(
    private readonly dataFolder: string,
    readonly core: OpenedCore,
    readonly clock: SteeredClock,
    /** Every log line so far. */
    readonly logged: readonly string[],
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<ApiStage> {
    const dataFolder = mkdtempSync(path.join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'quittance-'));
    const lines: string[] = [];
    const sink = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
    const config = loadConfig({
      DATA_FOLDER: dataFolder,
      SANDBOX_CHAINS: 'off',
      LIVE_RATE_SOURCES: 'none',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      ...env,
    });
    const core = await openCore(config, createLogger({ level: config.logLevel }, sink), 'service');
    const clock = new SteeredClock(core.clock);
    for (const network of NETWORKS) await cover(core, network);
    return new ApiStage(dataFolder, { ...core, clock }, clock, lines);
  }

  /** One more API over the same engine, listening. */
  async startInstance({ mirrors = () => true, rateLimits }: InstanceOptions = {}): Promise<ApiInstance> {
    const { config, documents, secretBox, store, clock, entropy, log } = this.core;
    const mirror = mirrorWriter(documents, ALL_PROJECTIONS, log);
    const writeMirrors: MirrorWriter = (...asked) => (mirrors() ? mirror(...asked) : Promise.resolve());
    const core = {
      ...this.core,
      readModels: new StoredReadModels(documents, store),
      writes: new WritePath(store, clock, writeMirrors),
    };
    const idempotency = await IdempotencyRecords.open({ documents, secretBox, clock, entropy, log, alone: false });
    const chain = new ScriptedChain(core.clock.now());
    const parts = await partsOf(core, chain);
    const kept = { idempotency, requestLog: parts.requestLog, rateLimits: rateLimits ?? null };
    const app = await createHttpApp(AppModule.with(parts), { config, log, ...kept });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    const instance = { app, port, caller: new HttpCaller(port), parts, chain };
    this.instances.push(instance);
    return instance;
  }

  /** A merchant, registered as the command line does it, who calls the instance. */
  async register(
    { app, caller }: ApiInstance,
    { password = PASSWORD, isChecked = true } = {},
  ): Promise<StagedMerchant> {
    const email = `owner${(this.merchants += 1)}@example.com`;
    const command = new RegisterMerchant(
      'Corner Shop',
      email,
      password,
      operatorContext({ ...this.core, user: 'alice' }),
    );
    const { body: document } = await caller.send({ method: 'GET', path: '/openapi.json' });
    const contract = isChecked ? new OpenApiValidation(JSON.parse(document) as ApiDocument) : null;
    return new StagedMerchant(await app.get(CommandBus).execute(command), this.clock, caller, contract);
  }

  /** Opens the deliveries of all payments' events, which a group's consumer does in the service. */
  async scheduleWebhooks({ parts }: ApiInstance): Promise<void> {
    const reading = new AbortController();
    for await (const { events, live } of this.core.store.subscribe(
      { categories: ['payment_intent'] },
      START_OF_LOG,
      reading.signal,
    )) {
      for (const event of events) await parts.webhooks.scheduling.handle({ event, retries: 0 });
      if (live) reading.abort();
    }
  }

  /** From here on the read models follow the log, as beside a process that runs the projections. */
  follow(): void {
    this.follower ??= this.runner();
    this.follower.start();
  }

  /** Brings the read models up to the log's end. */
  async project(): Promise<void> {
    const { store } = this.core;
    const runner = this.runner();
    runner.start();
    const position = await store.lastPosition();
    for (const { name } of ALL_PROJECTIONS) await runner.waitFor(name, position, PROJECTION_LIMIT_MS);
    await runner.stop();
  }

  private runner(): ProjectionRunner {
    const { store, documents, log, clock } = this.core;
    return new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS });
  }

  async close(): Promise<void> {
    await this.follower?.stop();
    for (const { app, caller } of this.instances) {
      caller.close();
      await app.close();
    }
    await this.core.close();
    rmSync(this.dataFolder, { recursive: true, force: true });
  }
}

async function partsOf(core: Core, chain: Chain): Promise<AppParts> {
  const { clock, documents, log } = core;
  const networks = NETWORKS.map(network => ({ mode: 'test', network, chain, instance: CHAIN, sandbox: true }) as const);
  const screening: Screening = {
    screen: () => Promise.resolve({ verdict: 'clear', source: 'stage', reference: null }),
  };
  const rates = composeRates(core);
  await rates.refresh();
  const walletProofs = composeWalletProofs(core, networks);
  const payments = await composePayments(core, networks, screening, rates, walletProofs.addresses);
  const webhooks = composeWebhooks(core);
  // What is asked for by hand is sent; nothing looks for what is due.
  webhooks.dispatcher.open();
  const sweeper = sweeperOf({ core, payments });
  const deadlinesUpTo = () => Promise.resolve();
  return {
    core,
    rates,
    payments,
    webhooks,
    walletProofs,
    sandbox: composeSandbox({ core, networks, payments, sweeper, webhooks, deadlinesUpTo }),
    requestLog: await RequestLog.open(documents, clock, log),
    readiness: [],
  };
}

/**
 * As a watcher leaves it that has seen the chain's first block, a block of the next day's: tests let their clock run
 * ahead.
 */
async function cover(core: Core, network: 'base' | 'bnb'): Promise<void> {
  const collection = await core.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const at = isoTime(core.clock.now() + DAY_MS);
  const body = {
    instance: CHAIN,
    number: 0,
    hash: '0x00',
    sealed_to: 0,
    sealed_hash: '0x00',
    sealed_at: at,
    head_number: 0,
  };
  await collection.put({
    id: coverageId('test', network),
    version: 1,
    body: { ...body, head_told_at: at, covered_until: at, head_seen_at: at, is_waiting: false },
  });
}
