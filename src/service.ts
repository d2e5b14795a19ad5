import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ALL_PROJECTIONS } from '../projections/all';
import { ProjectionRunner } from '../projections/runner/projection-runner';
import { AppModule } from './app.module';
import { openCore, type Core } from './core';
import type { GroupMessage } from './kernel/ports/event-store';
import type { Screening } from './kernel/ports/screening';
import type { RateBook } from './modules/quotes/rate-book';
import { openNetworks } from './networks';
import { openNotices, type Notifying } from './notices';
import { coveredUntil, openPayments, type Payments } from './payments';
import { writeBehind } from './platform/clock/write-behind';
import type { Config, Role } from './platform/config/config';
import { createHttpApp } from './platform/http/http-app';
import type { ReadinessCheck } from './platform/http/health.controller';
import { IdempotencyRecords } from './platform/idempotency/idempotency-records';
import type { Logger } from './platform/logging/logger';
import { RateLimits } from './platform/rate-limits/rate-limits';
import { RequestLog } from './platform/request-log/request-log';
import { LocalSanctionsList } from './platform/screening/local-sanctions-list';
import { ScreeningPanel } from './platform/screening/screening-panel';
import { Sweeper } from './processes/expiry/sweeper';
import { NOTICE_CATEGORIES } from './processes/notices/notices';
import { openRates } from './rates';
import { openWalletProofs, type WalletProofs } from './wallet-proofs';
import { openWebhooks, type Webhooks } from './webhooks';

/** Messages of a group under way at once: receivers may hang for ten seconds each and must not hold up the others. */
const CONCURRENCY = { webhooks: 16, deliveries: 128, notices: 4 } as const;

type Parts = {
  readonly core: Core;
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
  private app: NestFastifyApplication | null = null;

  private constructor(private readonly parts: Parts) {
    const { store, documents, log, clock } = parts.core;
    this.runner = new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS });
  }

  /** Resolves when the service answers. Throws Refusal invalid_config or invalid_token_config, with nothing left running but local chains. */
  static async start(config: Config, log: Logger): Promise<Service> {
    const core = await openCore(config, log, 'service');
    try {
      const screening = await openScreening(core);
      const rates = openRates(core);
      const networks = await openNetworks(core);
      const walletProofs = openWalletProofs(core, networks);
      const payments = await openPayments(core, networks, screening, rates, walletProofs.addresses);
      const notifying = await openNotices(core);
      const service = new Service({ core, rates, payments, webhooks: openWebhooks(core), walletProofs, notifying });
      await service.startRoles(new Set(config.roles));
      return service;
    } catch (error) {
      await core.close();
      throw error;
    }
  }

  /** Lets what is under way finish, then closes the engines. */
  async stop(): Promise<void> {
    await this.app?.close();
    this.stopping.abort();
    await this.runner.stop();
    await Promise.all(this.running);
    await this.parts.core.close();
  }

  private async startRoles(roles: ReadonlySet<Role>): Promise<void> {
    const { core, rates, payments, webhooks, notifying } = this.parts;
    const { store } = core;
    const { signal } = this.stopping;
    // Before the first append, so that no event is older than its reader.
    await store.ensureGroup('webhooks', { categories: ['payment_intent'] });
    await store.ensureGroup('deliveries', { categories: ['webhook_delivery'] });
    await store.ensureGroup('notices', { categories: NOTICE_CATEGORIES });
    await rates.refresh();
    if (roles.has('projections')) this.runner.start();
    if (roles.has('processes')) {
      this.consume('webhooks', message => webhooks.scheduling.handle(message));
      this.consume('deliveries', message => webhooks.delivery.handle(message));
      this.consume('notices', message => notifying.notices.handle(message));
      if (notifying.dispatch) this.running.push(notifying.dispatch.run(signal));
      this.running.push(this.sweeper().run(signal));
    }
    if (roles.has('watchers')) this.running.push(...payments.watchers.map(watcher => watcher.run(signal)));
    if (roles.has('api')) {
      this.running.push(rates.run(signal));
      await this.listen();
    }
  }

  private consume(group: keyof typeof CONCURRENCY, handle: (message: GroupMessage) => Promise<void>): void {
    const options = { concurrency: CONCURRENCY[group], signal: this.stopping.signal };
    this.running.push(this.parts.core.store.consume(group, handle, options));
  }

  private sweeper(): Sweeper {
    const { core, payments, webhooks } = this.parts;
    const { config, readModels, writes, clock, entropy, log } = core;
    return new Sweeper({
      modes: config.modes,
      readModels,
      writes,
      coveredUntil: (mode, network) => coveredUntil(payments, mode, network),
      attemptDelivery: (mode, deliveryId) => webhooks.delivery.attempt(mode, deliveryId),
      clock,
      entropy,
      log,
    });
  }

  private async listen(): Promise<void> {
    const { core, rates, payments, webhooks, walletProofs } = this.parts;
    const { config, log } = core;
    const { rateLimits, requestLog } = await this.openRequestKeeping();
    const module = AppModule.with({
      core,
      rates,
      payments,
      webhooks,
      walletProofs,
      requestLog,
      readiness: this.readiness(),
    });
    const idempotency = await openIdempotency(core);
    this.running.push(idempotency.sweep(this.stopping.signal));
    this.app = await createHttpApp(module, { config, log, idempotency, rateLimits, requestLog });
    await this.app.listen({ port: config.port, host: config.host });
    log.info({ url: config.publicUrl }, 'listening');
  }

  /** What is written behind once a second, and once more at the end. */
  private async openRequestKeeping() {
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
      {
        name: 'projections',
        check: async () => {
          await Promise.resolve();
          if (this.runner.failed.length > 0) throw new Error(`stopped: ${this.runner.failed.join(', ')}`);
        },
      },
    ];
  }
}

/** Who keeps its documents in the embedded engine has them to itself. */
function openIdempotency({ config, documents, secretBox, clock, entropy, log }: Core): Promise<IdempotencyRecords> {
  return IdempotencyRecords.open({ documents, secretBox, clock, entropy, log, alone: config.mongodbUrl === null });
}

async function openScreening({ config, clock, log }: Core): Promise<Screening> {
  const file = config.sanctionsListFile;
  const list = file === null ? LocalSanctionsList.builtIn() : await LocalSanctionsList.fromFile(file);
  // The start goes on: every screening then fails, so payments wait, and the line says why.
  if (list.problem)
    log.error({ file, err: list.problem }, 'the sanctions list cannot be read: no payment will be confirmed');
  return new ScreeningPanel([list], clock);
}
