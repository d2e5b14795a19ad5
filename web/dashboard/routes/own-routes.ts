import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { presentRoute } from '../../../src/modules/routes/api/route.presenter';
import type { RouteResource } from '../../../src/modules/routes/api/routes.contract';
import { routesReadModel } from '../../../src/modules/routes/routes.read-model';
import { listOwn } from '../../../src/platform/http/lists';
import type { TokenId } from '../../../src/vocabulary/tokens';
import type { Person } from '../../http/person';

/** The routes of the person's merchant in the mode: one for each approved pair at most. */
export async function ownRoutes(readModels: ReadModels, person: Person): Promise<readonly RouteResource[]> {
  const present = (route: Parameters<typeof presentRoute>[0]) => presentRoute(route, person.nowMs);
  return (await listOwn(readModels, routesReadModel, person, {}, { url: '', present })).data;
}

/** The tokens whose payments go to the wallet. */
export function tokensTo(walletId: string, routes: readonly RouteResource[]): readonly TokenId[] {
  return routes.filter(route => route.wallet_id === walletId).map(({ token_id: tokenId }) => tokenId);
}
