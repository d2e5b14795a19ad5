import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ALL_PROJECTIONS } from '../projections/all';
import { ProjectionRunner } from '../projections/runner/projection-runner';
import { AppModule } from './app.module';
import { openCore, type Core } from './core';
import type { GroupMessage } from './kernel/ports/event-store';
import type { Screening } from './kernel/ports/screening';
import type { RateBook } from './modules/quotes/rate-book';
import { openNetworks } from './networks';
import { coveredUntil, openPayments, type Payments } from './payments';
import type { Config, Role } from './platform/config/config';
import { createHttpApp } from './platform/http/http-app';
import type { ReadinessCheck } from './platform/http/health.controller';
import type { Logger } from './platform/logging/logger';
import { LocalSanctionsList } from './platform/screening/local-sanctions-list';
import { ScreeningPanel } from './platform/screening/screening-panel';
import { Sweeper } from './processes/expiry/sweeper';
import { openRates } from './rates';
import { openWebhooks, type Webhooks } from './webhooks';

/** Messages of a group under way at once: receivers may hang for ten seconds each and must not hold up the others. */
const CONCURRENCY = { webhooks: 16, deliveries: 128 } as const;

type Parts = {
  readonly core: Core;
  readonly rates: RateBook;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
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
      const payments = await openPayments(core, networks, screening, rates);
      const service = new Service({ core, rates, payments, webhooks: openWebhooks(core) });
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
    const { core, rates, payments, webhooks } = this.parts;
    const { store } = core;
    const { signal } = this.stopping;
    // Before the first append, so that no event is older than its reader.
    await store.ensureGroup('webhooks', { categories: ['payment_intent'] });
    await store.ensureGroup('deliveries', { categories: ['webhook_delivery'] });
    await rates.refresh();
    if (roles.has('projections')) this.runner.start();
    if (roles.has('processes')) {
      this.consume('webhooks', message => webhooks.scheduling.handle(message));
      this.consume('deliveries', message => webhooks.delivery.handle(message));
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
    const { core, rates, payments, webhooks } = this.parts;
    const { config, log } = core;
    const module = AppModule.with({ core, rates, payments, webhooks, readiness: this.readiness() });
    this.app = await createHttpApp(module, { config, log });
    await this.app.listen({ port: config.port, host: config.host });
    log.info({ url: config.publicUrl }, 'listening');
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

async function openScreening({ config, clock, log }: Core): Promise<Screening> {
  const file = config.sanctionsListFile;
  const list = file === null ? LocalSanctionsList.builtIn() : await LocalSanctionsList.fromFile(file);
  // The start goes on: every screening then fails, so payments wait, and the line says why.
  if (list.problem)
    log.error({ file, err: list.problem }, 'the sanctions list cannot be read: no payment will be confirmed');
  return new ScreeningPanel([list], clock);
}
