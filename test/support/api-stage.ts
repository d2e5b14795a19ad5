import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { rmSync } from 'node:fs';
import { Writable } from 'node:stream';
import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { webhookEndpointsProjection } from '../../projections/webhook-endpoints.projection';
import { operatorContext } from '../../src/cli/operator-context';
import { compose } from '../../src/composition/compose';
import { composeCore, type Core, type OpenedCore } from '../../src/composition/core';
import type { CorePorts, Engines, Ports } from '../../src/composition/ports';
import { rateSources } from '../../src/composition/rates';
import { openCorePorts } from '../../src/composition/real-ports';
import type { Service } from '../../src/composition/service';
import type { ServiceParts } from '../../src/composition/service-parts';
import { DAY_MS, isoTime, type Clock } from '../../src/kernel/clock';
import type { Chain } from '../../src/kernel/ports/chain';
import type { LocalChain } from '../../src/kernel/ports/local-chain';
import type { Projection } from '../../src/kernel/projection';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import { WritePath } from '../../src/kernel/write-path';
import type { Mode } from '../../src/vocabulary/modes';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import { RegisterMerchant } from '../../src/processes/accounts/register-merchant';
import { loadConfig } from '../../src/platform/config/config';
import { createLogger } from '../../src/platform/logging/logger';
import type { RateLimits } from '../../src/platform/rate-limits/rate-limits';
import type { RequestLog } from '../../src/platform/request-log/request-log';
import { HttpWebhookSender } from '../../src/platform/webhooks/http-webhook-sender';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../src/watchers/coverage-record';
import { hashCheaply } from './cheap-hashes';
import type { HeldAppends } from './held-appends';
import { HttpCaller } from './http-caller';
import { memoryFolder } from './memory-folder';
import { OpenApiValidation } from './openapi-validation';
import type { Countries } from '../../src/kernel/ports/countries';
import { PlayedChain } from './played-chain';
import { ReadOnce } from './read-once';
import { RoundTrips } from './round-trips';
import { ScriptedChain } from './scripted-chain';
import { stagePorts } from './stage-ports';
import { StagedMerchant } from './staged-merchant';
import { SteeredClock } from './steered-clock';
import { UnmirroredDocuments } from './unmirrored-documents';

const PROJECTION_LIMIT_MS = 60_000;
const NETWORKS = ['base', 'bnb'] as const;
const CHAIN = 'scripted';
const PASSWORD = 'plum harbour 47 lanterns';

export type ApiInstance = {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly caller: HttpCaller;
  readonly readOnce: ReadOnce;
  readonly service: Service;
  readonly parts: ServiceParts & { readonly requestLog: RequestLog };
  /** The chain of both of its watched networks. */
  readonly chain: ScriptedChain;
};

type InstanceOptions = {
  /** Called for each document that mirrors a stream. False: the event reaches the log alone. */
  readonly mirrors?: () => boolean;
  /** Notes the instance's questions to the engine. */
  readonly trips?: RoundTrips;
  /** Has the instance wait for its own appends. */
  readonly held?: HeldAppends;
  /** Without them nothing is limited. */
  readonly rateLimits?: RateLimits;
  /** Live mode has the fixed rates and the chain of test mode, where it has neither otherwise. */
  readonly takesLive?: true;
  /** Test mode has a local chain on its first network, whose transfers no watcher sees. */
  readonly playsCustomers?: true;
  /** Without them nobody knows the country of an address. */
  readonly countries?: Countries;
  /** By default any free one. */
  readonly port?: number;
};

/**
 * One embedded engine in this process, and as many API instances above it as a test starts, each of the service's own
 * parts. The stage does nothing by itself: neither watchers nor processes run, and read models move when the test says
 * so.
 */
export class ApiStage {
  private readonly instances: ApiInstance[] = [];
  private readonly scheduling = new Set<Service>();
  private merchants = 0;
  /** All instances have one configuration, and so one contract. */
  private contract: OpenApiValidation | null = null;
  private follower: ProjectionRunner | null = null;

  private constructor(
    private readonly ports: CorePorts,
    readonly core: OpenedCore,
    readonly clock: SteeredClock,
    /** Every log line so far. */
    readonly logged: readonly string[],
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<ApiStage> {
    hashCheaply();
    const dataFolder = memoryFolder();
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
    const opened = await openCorePorts(config, createLogger({ level: config.logLevel }, sink), 'service');
    const clock = new SteeredClock(opened.clock);
    const ports = { ...opened, clock };
    const core = composeCore(config, ports);
    for (const network of NETWORKS) await cover(core, 'test', network);
    return new ApiStage(ports, core, clock, lines);
  }

  /** One more API over the same engine, listening. */
  async startInstance(options: InstanceOptions = {}): Promise<ApiInstance> {
    const {
      mirrors,
      trips = new RoundTrips(),
      held,
      rateLimits,
      takesLive,
      playsCustomers,
      countries = null,
      port: wanted = 0,
    } = options;
    const { config, documents } = this.core;
    const store = held ? held.log(this.ports.engines.store) : this.ports.engines.store;
    const local = playsCustomers ? new PlayedChain(this.clock) : null;
    const chain = local?.chain ?? new ScriptedChain(this.clock.now());
    const reached = mirrors ? new UnmirroredDocuments(documents, mirrors) : documents;
    const engines = { store: trips.log(store), documents: trips.documents(reached) };
    const ports = await this.portsOf({ chain, local }, engines, takesLive === true, trips);
    const service = await compose(config, { ...ports, countries });
    const { parts } = service;
    trips.setOff(parts.webhooks.dispatcher, 'ring');
    trips.setOff(parts.webhooks.dispatcher, 'drain');
    trips.setOff(parts.sweeper, 'sweepMerchant');
    trips.setOff(parts.invoicing.deadlines, 'sweepMerchant');
    await parts.rates.refresh();
    // Redeliveries are sent; nothing looks for due deliveries.
    parts.webhooks.dispatcher.answerRings();
    const deadlinesUpTo = () => Promise.resolve();
    const { app, requestLog } = await service.composeHttpApi({ rateLimits: rateLimits ?? null, deadlinesUpTo });
    trips.turns(app.get(WritePath)['lines']);
    const readOnce = new ReadOnce(app);
    await app.listen(wanted, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    // A command whose mirror is held back waits for it, and asks again and again.
    const caller = new HttpCaller(port, mirrors ? null : readOnce);
    const instance = { app, port, caller, readOnce, service, parts: { ...parts, requestLog }, chain };
    this.instances.push(instance);
    return instance;
  }

  /** An instance of its own over the stage's engine, which other instances use as well. */
  private async portsOf(
    { chain, local }: { readonly chain: Chain; readonly local: LocalChain | null },
    engines: Pick<Engines, 'store' | 'documents'>,
    takesLive: boolean,
    trips: RoundTrips,
  ): Promise<Ports> {
    const { config } = this.core;
    const { engines: _, clock, ...more } = this.ports;
    const means = { ...more, clock: trips.waits<Clock>(clock, ['wait']) };
    const policy = watchPolicy('test', true);
    const modes = takesLive ? (['test', 'live'] as const) : (['test'] as const);
    const watched = modes.flatMap(mode =>
      NETWORKS.map(network => ({ mode, network, chain: trips.waits(chain), instance: CHAIN, policy }) as const),
    );
    const played = watched.map((each, nth) => (local && nth === 0 ? { ...each, local: trips.waits(local) } : each));
    const rates = await rateSources({ config, ...means });
    return {
      ...stagePorts({ ...means, ...engines, watched: played }),
      rates: takesLive ? { ...rates, live: rates.test } : rates,
      webhooks: trips.waits(
        new HttpWebhookSender({ allowedSubnets: config.webhookAllowedSubnets, ports: config.webhookPorts }),
      ),
    };
  }

  /** Live mode has seen blocks up to now, for instances that take live payments. */
  async coverLive(): Promise<void> {
    for (const network of NETWORKS) await cover(this.core, 'live', network);
  }

  /** A merchant, registered as the command line does it, who calls the instance. */
  async register(
    { app, caller }: ApiInstance,
    { password = PASSWORD, isChecked = true, email = `owner${(this.merchants += 1)}@example.com` } = {},
  ): Promise<StagedMerchant> {
    const command = new RegisterMerchant(
      'Corner Shop',
      email,
      password,
      operatorContext({ ...this.core, user: 'alice' }),
    );
    if (isChecked) this.contract ??= await contractOf(caller);
    const contract = isChecked ? this.contract : null;
    return new StagedMerchant(await app.get(CommandBus).execute(command), this.clock, caller, contract);
  }

  /**
   * Opens the deliveries of all payments' events, which a group's consumer does in the service. Before an instance does
   * it first, the index of endpoints is brought up to the log's end: until then the instance would refuse.
   */
  async scheduleWebhooks({ service, parts }: ApiInstance): Promise<void> {
    if (!this.scheduling.has(service)) await this.project([webhookEndpointsProjection]);
    this.scheduling.add(service);
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

  /**
   * From here on the read models follow the log, as beside a process that runs the projections. Checkpoints are written
   * four times a second: a busy machine then keeps the two seconds that a request waits for one.
   */
  follow(): void {
    const { clock } = this;
    const hurried: Clock = {
      now: () => clock.now(),
      wait: (delayMs, signal) => clock.wait(delayMs / 4, signal),
    };
    this.follower ??= this.runner(ALL_PROJECTIONS, hurried);
    this.follower.start();
  }

  /** Brings the read models up to the log's end. */
  async project(projections: readonly Projection[] = ALL_PROJECTIONS): Promise<void> {
    const { store } = this.core;
    const runner = this.runner(projections);
    runner.start();
    const position = await store.lastPosition();
    for (const { name } of projections) await runner.waitFor(name, position, PROJECTION_LIMIT_MS);
    await runner.stop();
  }

  private runner(projections: readonly Projection[], clock: Clock = this.clock): ProjectionRunner {
    const { store, documents, log } = this.core;
    return new ProjectionRunner({ store, documents, log, clock, projections });
  }

  async close(): Promise<void> {
    await this.follower?.stop();
    for (const { service, caller } of this.instances) {
      caller.close();
      await service.stop();
    }
    await this.core.close();
    rmSync(this.core.config.dataFolder, { recursive: true, force: true });
  }
}

async function contractOf(caller: HttpCaller): Promise<OpenApiValidation> {
  const kept = OpenApiValidation.kept('public');
  if (kept !== null) return kept;
  const { body } = await caller.send({ method: 'GET', path: '/openapi.json' });
  return OpenApiValidation.keep('public', body);
}

/**
 * Covers a network as a watcher does that has seen the chain's first block. The block is of the next day: tests let
 * their clock run ahead.
 */
async function cover(core: Core, mode: Mode, network: 'base' | 'bnb'): Promise<void> {
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
    id: coverageId(mode, network),
    version: 1,
    body: { ...body, head_told_at: at, covered_until: at, head_seen_at: at, is_waiting: false },
  });
}
