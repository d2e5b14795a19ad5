import type { ReadModel } from '../../kernel/ports/read-models';
import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';

export type RouteDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly asset_symbol: string;
  readonly network_id: NetworkId;
  readonly token_id: TokenId;
  readonly wallet_id: string;
  /** The end of the last change's cool-down, whether past or not; null while the first setting stands. */
  readonly cooling_down_until: string | null;
  readonly created: string;
  readonly updated_at: string;
};

/**
 * One document a pair; all documents of a merchant come from one stream. The id follows from mode, merchant and pair
 * (`routeId`).
 */
export const routesReadModel: ReadModel<RouteDocument> = {
  name: 'routes',
  version: 1,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'] },
};
