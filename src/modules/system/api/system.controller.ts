import { Controller, Get, Param, Query } from '@nestjs/common';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { parseFilters, type ListEnvelope } from '../../../platform/http/lists';
import { refuse } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import {
  SystemReads,
  type CheckView,
  type CoverageHistoryView,
  type HeadroomView,
  type LimitView,
  type NetworkView,
  type OutboxView,
  type RatesView,
  type ReadModelView,
} from '../system-reads';
import { SYSTEM_OPERATIONS } from './system.contract';
import { wholeList } from './whole-list';

type Asked = Readonly<Record<string, unknown>>;

/** The state of the service. Each list is short, and is answered whole. */
@Tagged('State of the service')
@Controller('admin/system')
export class SystemController {
  constructor(private readonly system: SystemReads) {}

  @Get('health')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.health)
  async health(@Query() query: Asked): Promise<ListEnvelope<CheckView>> {
    return wholeList('health', query, await this.system.health());
  }

  @Get('coverage')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.coverage)
  async coverage(@Query() query: Asked): Promise<ListEnvelope<NetworkView>> {
    return wholeList('coverage', query, await this.system.coverage());
  }

  @Get('coverage/:mode/:network')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.coverageHistory)
  async coverageHistory(
    @Param('mode') mode: string,
    @Param('network') networkId: string,
  ): Promise<CoverageHistoryView & { readonly object: 'coverage' }> {
    const network = NETWORK_IDS.find(id => id === networkId);
    const history = isMode(mode) && network ? (await this.system.network(mode, network)).history : null;
    if (!history) throw refuse('resource_missing', { message: 'Nobody has watched this network in this mode.' });
    return { object: 'coverage', ...history };
  }

  @Get('projections')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.projections)
  async projections(@Query() query: Asked): Promise<ListEnvelope<ReadModelView>> {
    return wholeList('projections', query, await this.system.readModels());
  }

  @Get('outbox')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.outbox)
  async outbox(@Query() query: Asked): Promise<ListEnvelope<OutboxView>> {
    return wholeList('outbox', query, await this.system.outbox());
  }

  @Get('limits')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.limits)
  limits(@Query() query: Asked): ListEnvelope<LimitView> {
    return wholeList('limits', query, this.system.limits());
  }

  @Get('headroom')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.headroom)
  async headroom(@Query() query: Asked): Promise<ListEnvelope<HeadroomView>> {
    const { mode = 'live' } = parseFilters(query, ['mode']);
    if (!isMode(mode)) throw refuse('invalid_mode', { param: 'mode' });
    return wholeList('headroom', {}, await this.system.headroom(mode));
  }

  @Get('rates')
  @AdminRoute({ permission: 'console.read' })
  @Documented(SYSTEM_OPERATIONS.rates)
  rates(@Query() query: Asked): ListEnvelope<RatesView> {
    return wholeList('rates', query, this.system.rates());
  }
}

function isMode(text: string): text is Mode {
  return text === 'live' || text === 'test';
}
