import { Body, Controller, Get, Inject, Put, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import {
  ChecksBody,
  commandContext,
  CurrentCaller,
  HighRisk,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { listOwn, type ListEnvelope } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { SetRoutes } from '../set-routes.command';
import { routesReadModel } from '../routes.read-model';
import { presentRoute } from './route.presenter';
import { checkPairs, ROUTE_OPERATIONS, SetRoutesDto, type RouteResource } from './routes.contract';

const URL = '/v1/routes';

@Tagged('Routes')
@Controller('v1/routes')
export class RoutesController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Get()
  @RequireScope('route:read')
  @Documented(ROUTE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return listOwn(this.readModels, routesReadModel, caller, query, {
      url: URL,
      present: route => presentRoute(route, caller.now),
    });
  }

  @Put()
  @RequireScope('route:manage')
  @HighRisk('route.change')
  @ChecksBody(checkPairs)
  @Documented(ROUTE_OPERATIONS.set)
  async set(@CurrentCaller() caller: Caller, @Body() body: SetRoutesDto): Promise<ListEnvelope<RouteResource>> {
    const entries = body.routes.map(({ asset_symbol: assetSymbol, network_id: networkId, wallet_id: walletId }) => {
      return { assetSymbol, networkId, walletId };
    });
    const routes = await this.commands.execute(new SetRoutes(entries, commandContext(caller, 'merchant')));
    // A merchant has at most one route for each approved pair, so the list is always one page.
    return { object: 'list', url: URL, has_more: false, data: routes.map(route => presentRoute(route, caller.now)) };
  }
}
