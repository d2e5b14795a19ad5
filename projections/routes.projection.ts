import type { Projection } from '../src/kernel/projection';
import type { RouteEvent } from '../src/modules/routes/route.events';
import { routesReadModel, type RouteDocument } from '../src/modules/routes/routes.read-model';

export const routesProjection: Projection<RouteDocument, RouteEvent> = {
  ...routesReadModel,
  categories: ['routes'],
  mirrors: true,
  key: ({ data }) => data.route_id,
  on: {
    RouteSet: (doc, { data, metadata }): RouteDocument => ({
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
