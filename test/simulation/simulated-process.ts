import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { mirrorWriter, StoredReadModels } from '../../projections/runner/read-models';
import { runProcesses } from '../../src/composition/background';
import type { Core } from '../../src/composition/core';
import type { EventFilter } from '../../src/kernel/ports/event-store';
import { InvariantViolation } from '../../src/kernel/invariant';
import { WritePath } from '../../src/kernel/write-path';
import { StoredMerchantClocks } from '../../src/modules/sandbox/stored-merchant-clocks';
import { RateBook } from '../../src/modules/quotes/rate-book';
import type { WatchedNetwork } from '../../src/composition/networks';
import { composeNotices } from '../../src/composition/notices';
import { composePayments, type Payments } from '../../src/composition/payments';
import { loadConfig } from '../../src/platform/config/config';
import { AesSecretBox } from '../../src/platform/secrets/aes-secret-box';
import { composeWebhooks } from '../../src/composition/webhooks';
import { ensureGroups } from '../../src/processes/groups';
import type { Outside } from './outside';
import { Prng } from './prng';
import { Life, type Scheduler } from './scheduler';
import { SimulatedChain, type ProcessChain } from './simulated-chain';
import { SimulatedDocuments } from './simulated-documents';
import { SimulatedPool } from './simulated-pool';
import { LEGS, SimulatedRates } from './simulated-rates';
import { SimulatedStore } from './simulated-store';

const CONFIG = loadConfig({ MODES: 'test', SANDBOX_CHAINS: 'off', SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
const KEY = Buffer.alloc(32, 7);

/**
 * The service as a process runs it, from its start to its death, over the simulation's stores, chains and receivers.
 */
export class SimulatedProcess {
  readonly life = new Life();
  readonly core: Core;
  /** Null until it has started. */
  payments: Payments | null = null;
  rates: RateBook | null = null;
  readonly chains: readonly ProcessChain[];

  constructor(
    private readonly outside: Outside,
    private readonly scheduler: Scheduler,
    seed: number,
  ) {
    this.core = this.openCore(new Prng(seed));
    const { life } = this;
    const { prng, setting, logger } = outside;
    this.chains = outside.chains.map(each => {
      const parts = { outside: each, scheduler, life, prng };
      return setting.nodes > 0 ? SimulatedPool.of(parts, setting.nodes, logger) : new SimulatedChain(parts);
    });
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
    const { core, life } = this;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.open();
        return;
      } catch (error) {
        // A start that meets a store that is away fails, and whoever runs the service starts it again.
        if (error instanceof InvariantViolation || attempt > 50) throw error;
        await core.clock.wait(1_000, life.signal);
      }
    }
  }

  private async open(): Promise<void> {
    const { core, life, outside } = this;
    const rates = this.composeRates();
    const payments = await composePayments(core, this.networks(), outside.screening(life), rates, {
      addressOf: () => null,
    });
    const webhooks = composeWebhooks(core, outside.sender(life));
    const notifying = await composeNotices(core);
    await ensureGroups(core.store);
    await rates.refresh();
    const { documents, log, clock } = core;
    const late = ({ categories }: EventFilter): number => {
      const { category, lateMs } = outside.late;
      return category === null || categories.includes(category) ? lateMs : 0;
    };
    const store = new SimulatedStore(outside.disk, this.scheduler, life, outside.prng, late);
    new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS }).start();
    for (const running of [
      ...runProcesses({ core, payments, webhooks, notifying }, life.signal),
      ...payments.watchers.map(watcher => watcher.run(life.signal)),
      rates.run(life.signal),
    ]) {
      running.catch((error: unknown) => outside.unexpected.push(`a loop ended: ${String(error)}`));
    }
    this.rates = rates;
    this.payments = payments;
  }

  private openCore(prng: Prng): Core {
    const { life, scheduler, outside } = this;
    const { disk, documents: stored } = outside;
    const wall = scheduler.clockOf(life);
    const log = outside.logger;
    const entropy = { bytes: (count: number) => Uint8Array.from({ length: count }, () => prng.below(256)) };
    const store = new SimulatedStore(disk, scheduler, life, prng);
    const documents = new SimulatedDocuments({
      disk: stored,
      faults: disk.faults,
      writing: outside.writing,
      scheduler,
      life,
      prng,
    });
    return {
      config: { ...CONFIG, modes: [outside.setting.mode] },
      log,
      clock: new StoredMerchantClocks(wall, store),
      entropy,
      secretBox: new AesSecretBox(KEY, entropy),
      store,
      documents,
      readModels: new StoredReadModels(documents, store),
      writes: new WritePath(store, wall, mirrorWriter(documents, ALL_PROJECTIONS, log)),
      close: () => Promise.resolve(),
    };
  }

  private composeRates(): RateBook {
    const { clock, log, entropy } = this.core;
    const sources = LEGS.map(leg => new SimulatedRates(leg, clock));
    return new RateBook({ test: sources, live: sources }, clock, log, entropy);
  }

  private networks(): readonly WatchedNetwork[] {
    const { mode } = this.outside.setting;
    return this.chains.map(chain => {
      const { network } = chain.outside;
      return { mode, network, chain, instance: `simulated ${network}`, sandbox: false };
    });
  }
}
