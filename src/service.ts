import { setMaxListeners } from 'node:events';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ALL_PROJECTIONS } from '../projections/all';
import { refuseForeignDocuments } from '../projections/runner/checkpoint-proof';
import { ProjectionRunner } from '../projections/runner/projection-runner';
import { ProjectionWatch } from '../projections/runner/projection-watch';
import { AppModule } from './app.module';
import { ensureGroups, runProcesses, sweeperOf } from './background';
import { openCore, type Core } from './core';
import { coverageReadiness } from './coverage-readiness';
import type { Connectors, EngineName } from './engines';
import { isDoneWithin, SECOND_MS } from './kernel/clock';
import type { LogPosition } from './kernel/log-position';
import { deadlinesReadModel } from './modules/payment-intents/deadlines.read-model';
import type { RateBook } from './modules/quotes/rate-book';
import { composeNetworks, type Networks } from './networks';
import { composeNotices, type Notifying } from './notices';
import { composePayments, type Payments } from './payments';
import { SystemClock } from './platform/clock/system-clock';
import { SystemEntropy } from './platform/clock/system-entropy';
import { writeBehind } from './platform/clock/write-behind';
import type { Config, Role } from './platform/config/config';
import { createHttpApp } from './platform/http/http-app';
import type { ReadinessCheck } from './platform/http/health.controller';
import { StartingServer } from './platform/http/starting-server';
import { IdempotencyRecords } from './platform/idempotency/idempotency-records';
import type { Logger } from './platform/logging/logger';
import { RateLimits } from './platform/rate-limits/rate-limits';
import { RequestLog } from './platform/request-log/request-log';
import type { Sweeper } from './processes/expiry/sweeper';
import { projectionsReadiness } from './projections-readiness';
import { composeRates } from './rates';
import { composeScreening } from './screening';
import { checkpointUpTo, composeSandbox } from './sandbox';
import { startWhenReachable } from './start';
import { composeWalletProofs, type WalletProofs } from './wallet-proofs';
import { composeWebhooks, type Webhooks } from './webhooks';

export type StartOptions = {
  /** Calls the start off; what has started is stopped by `stop`. */
  readonly signal?: AbortSignal;
  readonly connectors?: Connectors;
};

/** So long the start waits for the first rates. */
const RATES_PATIENCE_MS = 3 * SECOND_MS;

type Parts = {
  readonly core: Core;
  readonly networks: Networks;
  readonly rates: RateBook;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly walletProofs: WalletProofs;
  readonly notifying: Notifying;
};

/** The running service: the roles that its configuration asks for, over one core. */
export class Service {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>[] = [];
  private readonly runner: ProjectionRunner;
  private readonly watch: ProjectionWatch;
  private readonly sweeper: Sweeper;
  private app: NestFastifyApplication | null = null;

  private constructor(private readonly parts: Parts) {
    const { store, documents, log, clock } = parts.core;
    const followed = { store, documents, log, clock, projections: ALL_PROJECTIONS };
    this.runner = new ProjectionRunner(followed);
    this.watch = new ProjectionWatch(followed);
    this.sweeper = sweeperOf(parts);
  }

  /**
   * Resolves when the service answers. While an engine is away the start waits, alive and not ready. Throws Refusal
   * invalid_config or invalid_token_config, and StartStopped once `signal` aborts. Nothing is left running but local
   * chains.
   */
  static async start(config: Config, log: Logger, { signal, connectors }: StartOptions = {}): Promise<Service> {
    const [clock, entropy] = [new SystemClock(), new SystemEntropy()];
    const checks = enginesOf(config);
    const starting = config.roles.includes('api')
      ? await StartingServer.listen(config.port, config.host, { urls: config, clock, entropy, checks })
      : null;
    const attempt = async (): Promise<Service> => {
      Object.assign(checks, enginesOf(config));
      const core = await openCore(config, log, 'service', { connectors, onOpen: engine => (checks[engine] = 'ok') });
      return Service.startOn(core, starting);
    };
    try {
      return await startWhenReachable(attempt, { clock, log }, signal ?? new AbortController().signal);
    } finally {
      await starting?.close();
    }
  }

  private static async startOn(core: Core, starting: StartingServer | null): Promise<Service> {
    let networks: Networks | null = null;
    let service: Service | null = null;
    try {
      await refuseForeignDocuments(core, ALL_PROJECTIONS);
      const rates = composeRates(core);
      networks = await composeNetworks(core);
      const screening = await composeScreening(core, networks.watched);
      const walletProofs = composeWalletProofs(core, networks.watched);
      const payments = await composePayments(core, networks.watched, screening, rates, walletProofs.addresses);
      const notifying = await composeNotices(core);
      const webhooks = composeWebhooks(core, undefined, { alone: isAlone(core) });
      service = new Service({ core, networks, rates, payments, webhooks, walletProofs, notifying });
      await service.startRoles(new Set(core.config.roles), starting);
      return service;
    } catch (error) {
      if (service) await service.stop();
      else {
        await networks?.close();
        await core.close();
      }
      throw error;
    }
  }

  /** Lets what is under way finish, then closes the engines. */
  async stop(): Promise<void> {
    await this.app?.close();
    this.stopping.abort();
    await this.runner.stop();
    await Promise.all(this.running);
    await this.parts.networks.close();
    await this.parts.core.close();
  }

  private async startRoles(roles: ReadonlySet<Role>, starting: StartingServer | null): Promise<void> {
    const { core, rates, payments } = this.parts;
    const { signal } = this.stopping;
    // Every loop waits by it.
    setMaxListeners(0, signal);
    await ensureGroups(core);
    // A source that hangs is given up later: the service does not wait for it.
    await isDoneWithin(core.clock, RATES_PATIENCE_MS, rates.refresh(signal));
    if (roles.has('projections')) this.runner.start();
    if (roles.has('projections') || roles.has('api')) this.running.push(this.watch.run(signal));
    if (roles.has('processes')) this.running.push(...runProcesses({ ...this.parts, sweeper: this.sweeper }, signal));
    if (roles.has('watchers')) this.running.push(...payments.watchers.map(watcher => watcher.run(signal)));
    else if (roles.has('processes')) this.running.push(...payments.watchers.map(watcher => watcher.lookOn(signal)));
    this.tellRoles();
    if (roles.has('api')) {
      this.running.push(rates.run(signal));
      await this.listen(starting);
    }
  }

  /** The one line of a process that does not listen. */
  private tellRoles(): void {
    const { core, payments } = this.parts;
    const { roles } = core.config;
    const watches = roles.includes('watchers');
    const watched = watches ? payments.watchers.map(({ name }) => name) : [];
    const facts = { roles, watched };
    if (watches && watched.length === 0) core.log.warn(facts, 'started with no network to watch: none has a provider');
    else core.log.info(facts, 'started');
  }

  private async listen(starting: StartingServer | null): Promise<void> {
    const { core, networks, rates, payments, webhooks, walletProofs } = this.parts;
    const { config, log } = core;
    const { rateLimits, requestLog } = await this.composeRequestKeeping();
    const module = AppModule.with({
      core,
      rates,
      payments,
      webhooks,
      walletProofs,
      sandbox: composeSandbox({
        core,
        networks: networks.watched,
        payments,
        sweeper: this.sweeper,
        webhooks,
        deadlinesUpTo: this.deadlinesUpTo,
      }),
      requestLog,
      readiness: this.readiness(),
    });
    const idempotency = await composeIdempotency(core);
    this.running.push(idempotency.sweep(this.stopping.signal));
    this.app = await createHttpApp(module, { config, log, idempotency, rateLimits, requestLog });
    await starting?.close();
    await this.app.listen({ port: config.port, host: config.host });
    log.info({ url: config.publicUrl }, 'listening');
  }

  private readonly deadlinesUpTo = (position: LogPosition, timeoutMs: number): Promise<void> => {
    const { core } = this.parts;
    if (!core.config.roles.includes('projections')) return checkpointUpTo(core)(position, timeoutMs);
    return this.runner.waitFor(deadlinesReadModel.name, position, timeoutMs);
  };

  /** What is written behind once a second, and once more at the end. */
  private async composeRequestKeeping() {
    const { config, documents, clock, log } = this.parts.core;
    const { signal } = this.stopping;
    const requestLog = await RequestLog.open(documents, clock, log);
    this.running.push(writeBehind('request log', () => requestLog.flush(), { clock, log }, signal));
    if (!config.rateLimits) return { requestLog, rateLimits: null };
    const rateLimits = await RateLimits.open(documents, clock, config.rateLimits);
    this.running.push(writeBehind('rate limits', () => rateLimits.share(), { clock, log }, signal));
    return { requestLog, rateLimits };
  }

  private readiness(): readonly ReadinessCheck[] {
    const { store, documents } = this.parts.core;
    return [
      { name: 'event_store', check: async () => void (await store.lastPosition()) },
      { name: 'document_store', check: async () => void (await documents.open({ name: 'readiness', indexes: {} })) },
      projectionsReadiness(this.runner, this.watch),
      coverageReadiness(this.parts.payments.watchers),
    ];
  }
}

/** Embedded engines are never away. */
function enginesOf({ eventStoreUrl, mongodbUrl }: Config): Record<EngineName, 'ok' | 'unavailable'> {
  const state = (url: string | null) => (url === null ? 'ok' : 'unavailable');
  return { event_store: state(eventStoreUrl), document_store: state(mongodbUrl) };
}

/** A service that keeps its documents in the embedded engine has them to itself. */
function isAlone({ config }: Core): boolean {
  return config.mongodbUrl === null;
}

function composeIdempotency(core: Core): Promise<IdempotencyRecords> {
  const { documents, secretBox, clock, entropy, log } = core;
  return IdempotencyRecords.open({ documents, secretBox, clock, entropy, log, alone: isAlone(core) });
}
