import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DAY_MS, isoTime, MINUTE_MS, utcDay, type Clock } from '../../kernel/clock';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkStanding } from '../../vocabulary/network-alarm';
import type { NetworkId } from '../../vocabulary/networks';
import type { ApiKeyUses } from '../../modules/api-keys/api-key-uses';
import { GetHome, type HomeOwner } from '../../modules/home/queries/get-home.query';
import type { HomeView, NetworkCoverage } from '../../modules/home/queries/home-view';
import { shownDays, SHOWN_DAYS, takingsByDay } from '../../modules/home/takings-by-day';
import { takingsReadModel } from '../../modules/home/takings.read-model';
import { readFirstSteps } from './first-steps';
import { readBelongings } from './home-belongings';
import { readHeadroom } from './slot-headroom';
import { readWaiting } from './waiting';

/** How far the networks are read, by the coverage that all processes share. */
interface Coverage {
  standingOf(mode: Mode, network: NetworkId, sinceMs: number): Promise<NetworkStanding>;
}

type HomeParts = {
  readonly readModels: ReadModels;
  readonly uses: Pick<ApiKeyUses, 'lastUsedAt'>;
  readonly coverage: Coverage;
  readonly networks: readonly { readonly mode: Mode; readonly network: NetworkId }[];
  /** The wall's clock. */
  readonly clock: Clock;
};

/** A merchant's home page. Nothing on it is remembered: each look reads it anew. */
export class HomeReads {
  private readonly sinceMs: number;

  constructor(private readonly parts: HomeParts) {
    this.sinceMs = parts.clock.now();
  }

  async view(owner: HomeOwner): Promise<HomeView> {
    const { readModels, uses } = this.parts;
    const { mode, nowMs, timeZone } = owner;
    const days = shownDays(nowMs, timeZone);
    const owned = await readBelongings(readModels, owner);
    const [documents, waiting, headroom, coverage, steps] = await Promise.all([
      this.takings(owner),
      readWaiting(readModels, owner, owned),
      readHeadroom(readModels, owner, owned),
      this.coverage(mode),
      readFirstSteps(readModels, uses, owner, owned),
    ]);
    return {
      ...{ days, waiting, headroom, coverage, steps },
      takings: takingsByDay(documents, days, timeZone),
      lost: {
        transfers: documents.reduce((sum, { lost }) => sum + lost.transfers, 0),
        payments: [...new Set(documents.flatMap(({ lost }) => lost.payments))],
      },
    };
  }

  /** The days of UTC that the shown days of any time zone lie in. */
  private async takings({ merchantId, mode, nowMs }: HomeOwner) {
    const found = await this.parts.readModels.list(takingsReadModel, {
      index: 'by_day',
      equals: { merchant_id: merchantId, mode },
      range: { from: utcDay(isoTime(nowMs - SHOWN_DAYS * DAY_MS)), to: utcDay(isoTime(nowMs)) },
      limit: SHOWN_DAYS + 1,
    });
    return found.map(({ body }) => body);
  }

  private coverage(mode: Mode): Promise<readonly NetworkCoverage[]> {
    const { networks, coverage, clock } = this.parts;
    const own = networks.filter(watched => watched.mode === mode);
    return Promise.all(
      own.map(async ({ network }) => {
        const { scannedUntilMs, alarm } = await coverage.standingOf(mode, network, this.sinceMs);
        const lagMs = scannedUntilMs === null ? null : Math.max(0, clock.now() - scannedUntilMs);
        return { network, lagMinutes: lagMs === null ? null : Math.floor(lagMs / MINUTE_MS), alarm };
      }),
    );
  }
}

@QueryHandler(GetHome)
export class GetHomeHandler implements IQueryHandler<GetHome> {
  constructor(private readonly home: HomeReads) {}

  execute({ owner }: GetHome): Promise<HomeView> {
    return this.home.view(owner);
  }
}
