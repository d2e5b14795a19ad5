import { ALL_PROJECTIONS } from '../../projections/all';
import { compose } from '../../src/composition/compose';
import { composeCore, type Core } from '../../src/composition/core';
import type { Ports, WatchedNetwork } from '../../src/composition/ports';
import { composeKeyring } from '../../src/composition/secrets';
import type { Service } from '../../src/composition/service';
import { ImageUnavailable } from '../../src/kernel/ports/image-source';
import type { EventFilter } from '../../src/kernel/ports/event-store';
import { InvariantViolation } from '../../src/kernel/invariant';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import { loadConfig, type Config } from '../../src/platform/config/config';
import { AesSecretBox } from '../../src/platform/secrets/aes-secret-box';
import type { Outside } from './outside';
import { Prng } from './prng';
import { Life, type Scheduler } from './scheduler';
import { SimulatedChain, type ProcessChain } from './simulated-chain';
import { SimulatedDocuments } from './simulated-documents';
import { SimulatedPool } from './simulated-pool';
import { LEGS, SimulatedRates } from './simulated-rates';
import { SimulatedStore } from './simulated-store';

const KEY = Buffer.alloc(32, 7);
const CONFIG = loadConfig({
  MODES: 'test',
  SANDBOX_CHAINS: 'off',
  SECRET_KEY: KEY.toString('base64'),
});
/** The subscription of the projections: other readers of the log are never late. */
const FOLLOWED = new Set(ALL_PROJECTIONS.map(({ categories }) => categories.join()));

const doNothing = (): Promise<void> => Promise.resolve();

/**
 * The service as a process runs it, from its start to its death, over the simulation's stores, chains and receivers.
 */
export class SimulatedProcess {
  readonly life = new Life();
  readonly chains: readonly ProcessChain[];
  /** Null until the process has started. */
  service: Service | null = null;
  private readonly config: Config;
  private readonly ports: Ports;
  private readonly early: Core;

  constructor(
    private readonly outside: Outside,
    private readonly scheduler: Scheduler,
    seed: number,
  ) {
    const { life } = this;
    const { prng, setting, logger } = outside;
    this.chains = outside.chains.map(each => {
      const parts = { outside: each, scheduler, life, prng };
      return setting.nodes > 0 ? SimulatedPool.of(parts, setting.nodes, logger) : new SimulatedChain(parts);
    });
    this.config = { ...CONFIG, modes: [setting.mode] };
    this.ports = this.portsOf(new Prng(seed));
    this.early = composeCore(this.config, this.ports);
  }

  get core(): Core {
    return this.service?.parts.core ?? this.early;
  }

  /** Starts in the background: it may be killed before it has started. */
  start(): void {
    this.run().catch((error: unknown) => this.outside.unexpected.push(`a start failed: ${String(error)}`));
  }

  kill(): void {
    this.life.kill();
    this.outside.disk.takeBack(this.life);
  }

  private async run(): Promise<void> {
    const { ports, life } = this;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.open();
        return;
      } catch (error) {
        // A start that meets a store that is away fails, and the operator starts the service again.
        if (error instanceof InvariantViolation || attempt > 50) throw error;
        await ports.clock.wait(1_000, life.signal);
      }
    }
  }

  private async open(): Promise<void> {
    const service = await compose(this.config, this.ports);
    // A consumer here handles few messages at a time, so their rows would wait for others in vain.
    service.parts.audit.log.gatherUntil(AbortSignal.abort());
    await service.start();
    for (const running of service.jobs.running) {
      running.catch((error: unknown) => this.outside.unexpected.push(`a loop ended: ${String(error)}`));
    }
    this.service = service;
  }

  private portsOf(prng: Prng): Ports {
    const { life, scheduler, outside } = this;
    const { disk, documents: stored, writing } = outside;
    const clock = scheduler.clockOf(life);
    const entropy = { bytes: (count: number) => Uint8Array.from({ length: count }, () => prng.below(256)) };
    const documents = new SimulatedDocuments({ disk: stored, faults: disk.faults, writing, scheduler, life, prng });
    const late = ({ categories }: EventFilter): number => {
      const { category, lateMs } = outside.late;
      const isLate = category === null || categories.includes(category);
      return isLate && FOLLOWED.has(categories.join()) ? lateMs : 0;
    };
    const store = new SimulatedStore(disk, scheduler, life, prng, late);
    const sources = LEGS.map(leg => new SimulatedRates(leg, clock));
    return {
      clock,
      entropy,
      secretBox: new AesSecretBox(composeKeyring({ current: KEY, former: null }, { store, clock, entropy }), entropy),
      log: outside.logger,
      engines: { store, documents, isAlone: false, close: doNothing },
      networks: { watched: this.networks(), close: doNothing },
      rates: { test: sources, live: sources },
      screening: outside.screening(life),
      mail: null,
      webhooks: outside.sender(life),
      countries: null,
      images: { fetch: () => Promise.reject(new ImageUnavailable('nothing is fetched here')) },
    };
  }

  private networks(): readonly WatchedNetwork[] {
    const { mode } = this.outside.setting;
    return this.chains.map(chain => {
      const { network } = chain.outside;
      return {
        mode,
        network,
        chain,
        balances: chain.balances,
        instance: `simulated ${network}`,
        policy: watchPolicy(mode, false),
      };
    });
  }
}
