import type { RecordedEvent } from '../../src/kernel/event';
import type { Projection } from '../../src/kernel/projection';
import type { NetworkId, TokenId } from '../../src/kernel/tokens';
import type { RouteSet } from '../../src/modules/routes/route.events';

export type RouteDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly asset_symbol: string;
  readonly network_id: NetworkId;
  readonly token_id: TokenId;
  readonly wallet_id: string;
  /** Of the last change, whether past or not; null while the first setting stands. */
  readonly cooling_down_until: string | null;
  readonly created: string;
  readonly updated_at: string;
};

/**
 * One document a pair, all of a merchant's from the one stream; the id follows from mode, merchant and pair
 * (`routeId`).
 */
export const routesProjection: Projection<RouteDocument> = {
  name: 'routes',
  version: 1,
  categories: ['routes'],
  mirrors: true,
  key: event => (event as RecordedEvent<RouteSet>).data.route_id,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'] },
  on: {
    RouteSet: (doc: RouteDocument | null, { data, metadata }: RecordedEvent<RouteSet>): RouteDocument => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      asset_symbol: data.asset_symbol,
      network_id: data.network_id,
      token_id: data.token_id,
      wallet_id: data.wallet_id,
      cooling_down_until: data.cooling_down_until,
      created: doc?.created ?? metadata.occurred_at,
      updated_at: metadata.occurred_at,
    }),
  },
};
