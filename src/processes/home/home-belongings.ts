import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { routesReadModel, type RouteDocument } from '../../modules/routes/routes.read-model';
import { ownWallets, type Reader } from '../../modules/transfers/own-transfer';
import type { WalletDocument } from '../../modules/wallets/wallets.read-model';
import { listedEndpoints } from '../../modules/webhooks/listed-endpoints';
import type { WebhookEndpointDocument } from '../../modules/webhooks/webhook-endpoints.read-model';

/** More than there are tokens. */
const ROUTES_READ = 100;

/** A merchant's wallets, routes and endpoints in a mode: several parts of the page ask about them. */
export type HomeBelongings = {
  readonly wallets: readonly Document<WalletDocument>[];
  readonly routes: readonly Document<RouteDocument>[];
  readonly endpoints: readonly Document<WebhookEndpointDocument>[];
};

export async function readBelongings(readModels: Pick<ReadModels, 'list'>, reader: Reader): Promise<HomeBelongings> {
  const { merchantId, mode } = reader;
  const equals = { merchant_id: merchantId, mode };
  const [wallets, routes, endpoints] = await Promise.all([
    ownWallets(readModels, reader),
    readModels.list(routesReadModel, { index: 'by_merchant', equals, limit: ROUTES_READ }),
    listedEndpoints(readModels, merchantId, mode),
  ]);
  return { wallets, routes, endpoints };
}
