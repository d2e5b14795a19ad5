import { ALL_PROJECTIONS } from '../../projections/all';
import { projectionStatuses } from '../../projections/runner/projection-status';
import type { Collection } from '../kernel/ports/documents';
import type { ReadinessCheck } from '../kernel/ports/readiness';
import { takenAmountsReadModel } from '../modules/amount-slots/taken-amounts.read-model';
import { tightestGrids } from '../modules/amount-slots/tightest-price';
import { CUSTOMER_OUTBOX_COLLECTION, OUTBOX_COLLECTION, type OutboxDocument } from '../modules/outbox/outbox';
import { outboxStanding } from '../modules/outbox/outbox-standing';
import type { GroupName } from '../modules/system/group-names';
import { SystemReads, type CoverageHistoryView, type NetworkView } from '../modules/system/system-reads';
import { isWatched, watchPolicyOf } from '../platform/config/config';
import { lookAt } from '../platform/http/readiness-look';
import type { Mode } from '../vocabulary/modes';
import { NETWORK_IDS, type NetworkId } from '../vocabulary/networks';
import type { CoverageDocument } from '../watchers/coverage-record';
import { coverageStanding, wholeCoverage, type ReportedNetwork } from '../watchers/coverage-report';
import { listSetAside, type OfNetwork, type SetAside } from '../watchers/set-aside-lists';
import { groupStandings, parkedMessages } from './group-standings';
import { limitsInForce } from './limits-in-force';
import type { ServiceParts } from './service-parts';

/** Stretches of taken amounts that one look reads. */
const STRETCHES_READ = 500;

type Parts = Pick<ServiceParts, 'core' | 'networks' | 'payments' | 'rates'> & {
  readonly readiness: readonly ReadinessCheck[];
};

type Outboxes = Readonly<Record<'notices' | 'customers', Collection<OutboxDocument>>>;

export async function composeSystemReads(parts: Parts): Promise<SystemReads> {
  const { documents } = parts.core;
  return new ServiceReads(parts, {
    notices: await documents.open<OutboxDocument>(OUTBOX_COLLECTION),
    customers: await documents.open<OutboxDocument>(CUSTOMER_OUTBOX_COLLECTION),
  });
}

class ServiceReads extends SystemReads {
  constructor(
    private readonly parts: Parts,
    private readonly outboxes: Outboxes,
  ) {
    super();
  }

  health() {
    const { readiness, core } = this.parts;
    return Promise.all(
      readiness.map(async check => {
        const { name, state, alarms, error } = await lookAt(check, core.clock);
        return { check: name, state, reason: error?.message ?? null, alarms };
      }),
    );
  }

  async coverage() {
    const { core, payments } = this.parts;
    const networks = core.config.modes.flatMap(mode => NETWORK_IDS.map(network => ({ mode, network })));
    const covered = await payments.frontiers.coverageOfAll(networks);
    return Promise.all(
      networks.map(async (network, index) => {
        const stored = covered[index] ?? null;
        return this.viewOf(network, stored, await this.setAsideOn(network, stored));
      }),
    );
  }

  async network(mode: Mode, network: NetworkId) {
    const { core, payments } = this.parts;
    const stored = await payments.frontiers.coverageOf(mode, network);
    const setAside = await this.setAsideOn({ mode, network }, stored);
    return {
      view: core.config.modes.includes(mode) ? await this.viewOf({ mode, network }, stored, setAside) : null,
      history: stored && (await this.historyOf({ mode, network }, stored, setAside)),
    };
  }

  async readModels() {
    const statuses = await projectionStatuses(this.parts.core, ALL_PROJECTIONS);
    return statuses.map(({ name, storedVersion, eventsPerSecond, ...status }) => ({
      read_model: name,
      state: status.state,
      is_at_fault: status.isAtFault,
      version: status.version,
      stored_version: storedVersion,
      lag_ms: status.lagMs,
      events_per_second: eventsPerSecond,
      error: status.error,
      updated_at: status.updatedAt,
      rebuild: status.rebuild && { begun_at: status.rebuild.begun_at, reached_at: status.rebuild.reached_at },
    }));
  }

  groups() {
    return groupStandings(this.parts.core);
  }

  parked(group: GroupName) {
    return parkedMessages(this.parts.core.store, group);
  }

  outbox() {
    const names = ['notices', 'customers'] as const;
    return Promise.all(names.map(async outbox => ({ outbox, ...(await outboxStanding(this.outboxes[outbox])) })));
  }

  limits() {
    return limitsInForce(this.parts.core.config);
  }

  async headroom(mode: Mode) {
    const { readModels } = this.parts.core;
    const query = { index: 'by_stretch', equals: { mode }, limit: STRETCHES_READ };
    const documents = await readModels.list(takenAmountsReadModel, query);
    return tightestGrids(documents.map(({ body }) => body)).map(grid => ({ mode, ...grid }));
  }

  rates() {
    const { core, rates } = this.parts;
    return core.config.modes.flatMap(mode => rates.health(mode).map(health => ({ mode, ...health })));
  }

  /** Nothing is set aside where nobody watches, or ever did. */
  private async setAsideOn(network: OfNetwork, stored: CoverageDocument | null): Promise<SetAside> {
    if (stored === null && this.watcherOf(network) === undefined) return { holes: [], deferred: [] };
    return listSetAside(this.parts.core.readModels, network);
  }

  private async viewOf(
    { mode, network }: OfNetwork,
    stored: CoverageDocument | null,
    setAside: SetAside,
  ): Promise<NetworkView> {
    const { core, networks, payments } = this.parts;
    const shared = (sinceMs: number) => payments.frontiers.alarmOf({ mode, network }, stored, setAside, sinceMs);
    return {
      ...{ mode, network },
      alarm: (await this.watcherOf({ mode, network })?.alarmNow(shared)) ?? null,
      providers: networks.find(each => isSame(each, { mode, network }))?.standings?.() ?? [],
      coverage: stored && coverageStanding(core, this.reported(mode, network), stored, setAside),
    };
  }

  private async historyOf(
    { mode, network }: OfNetwork,
    stored: CoverageDocument,
    setAside: SetAside,
  ): Promise<CoverageHistoryView> {
    const whole = await wholeCoverage(this.parts.core, this.reported(mode, network), stored, setAside);
    const { instance, providers, ranges, from_number, sealed_to, gaps } = whole;
    return { mode, network, instance, providers, ranges, from_number, sealed_to, gaps };
  }

  private watcherOf(network: OfNetwork) {
    return this.parts.payments.watchers.find(each => isSame(each, network));
  }

  private reported(mode: Mode, network: NetworkId): ReportedNetwork {
    const { config } = this.parts.core;
    return {
      ...{ mode, network },
      policy: watchPolicyOf(config, mode, network),
      isWatched: isWatched(config, mode, network),
    };
  }
}

function isSame(one: OfNetwork, other: OfNetwork): boolean {
  return one.mode === other.mode && one.network === other.network;
}
