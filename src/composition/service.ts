import { setMaxListeners } from 'node:events';
import { CommandBus } from '@nestjs/cqrs';
import { isDoneWithin, SECOND_MS } from '../kernel/clock';
import { Jobs } from '../kernel/jobs';
import { tellEmptyExchangeList } from '../modules/wallets/exchange-list-check';
import type { Role } from '../platform/config/config';
import { AdminOwners } from '../processes/administrators/admin-owners';
import { ensureFirstAdmin } from '../processes/administrators/first-admin';
import { ensureGroups } from '../processes/groups';
import { composeApi, type Api, type ApiOptions } from './api';
import { startProcesses } from './background';
import { closePorts, type Ports } from './ports';
import type { ServiceParts } from './service-parts';

/** The start waits for the first rates for so long. */
const RATES_PATIENCE_MS = 3 * SECOND_MS;

/** One process of the service: the roles that its configuration asks for, over one core. */
export class Service {
  private readonly stopping = new AbortController();
  /** Every loop under way; each of them ends when the service stops. */
  readonly jobs = new Jobs(this.stopping.signal);
  private api: Api | null = null;

  constructor(
    readonly parts: ServiceParts,
    private readonly ports: Pick<Ports, 'networks' | 'engines'>,
  ) {}

  /** From here on the process plays its roles; its API answers nobody before `listen`. */
  async start(): Promise<void> {
    const { core, rates, runner, watch } = this.parts;
    const roles: ReadonlySet<Role> = new Set(core.config.roles);
    const { signal } = this.stopping;
    // Every loop listens to this signal.
    setMaxListeners(0, signal);
    await ensureGroups(core.store);
    // A source that hangs is given up later: the service does not wait for it.
    await isDoneWithin(core.clock, RATES_PATIENCE_MS, rates.refresh(signal));
    if (roles.has('projections')) runner.start();
    if (roles.has('projections') || roles.has('api')) this.jobs.start('standings', () => watch.run(signal));
    if (roles.has('processes')) startProcesses(this.parts, this.jobs);
    this.startWatchers(roles);
    if (roles.has('api')) this.jobs.start('rates', () => rates.run(signal));
    if (roles.has('api') && core.config.modes.includes('live'))
      this.jobs.start('exchange-list', () => tellEmptyExchangeList(core, signal));
    this.tellRoles();
  }

  /** The HTTP interface of this process, which does not listen yet. */
  async composeHttpApi(options: ApiOptions = {}): Promise<Api> {
    this.api = await composeApi(this.parts, options);
    return this.api;
  }

  /** Answers at the configured address. `beforehand` frees the port. */
  async listen(beforehand: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const { config, clock, log } = this.parts.core;
    const api = await this.composeHttpApi();
    // Commands have their handlers from here on.
    await api.app.init();
    await ensureFirstAdmin({
      given: config.bootstrapAdmin,
      isProduction: config.environment === 'production',
      owners: api.app.get(AdminOwners, { strict: false }),
      commands: api.app.get(CommandBus),
      clock,
    });
    for (const [id, run] of Object.entries(api.loops)) this.jobs.start(id, run);
    await beforehand();
    await api.app.listen({ port: config.port, host: config.host });
    log.info({ url: config.publicUrl, docs: config.docsUrl }, 'listening');
  }

  /** Lets running work finish, then closes the ports. */
  async stop(): Promise<void> {
    await this.api?.app.close();
    this.stopping.abort();
    await this.parts.rebuilds.stop();
    await this.parts.runner.stop();
    await Promise.all(this.jobs.running);
    await closePorts(this.ports);
  }

  /** Where another process watches, the processes look on. */
  private startWatchers(roles: ReadonlySet<Role>): void {
    for (const watcher of this.parts.payments.watchers) {
      if (roles.has('watchers')) this.jobs.start(`watcher ${watcher.name}`, signal => watcher.run(signal));
      else if (roles.has('processes')) this.jobs.start(`onlooker ${watcher.name}`, signal => watcher.lookOn(signal));
    }
  }

  /** A process that does not listen writes this one line. */
  private tellRoles(): void {
    const { core, payments } = this.parts;
    const { roles } = core.config;
    const watches = roles.includes('watchers');
    const watched = watches ? payments.watchers.map(({ name }) => name) : [];
    const facts = { roles, watched };
    if (watches && watched.length === 0) core.log.warn(facts, 'started with no network to watch: none has a provider');
    else core.log.info(facts, 'started');
  }
}
