import { NETWORK_IDS, TOKEN_IDS } from '../../../kernel/tokens';
import { constant, id, MODE, nullable, oneOfTexts, resource, timestamp } from '../../../platform/http/openapi-schema';
import type { RouteResource } from './route.presenter';

export const ROUTE = resource<RouteResource>('route', 'Where the money for one asset on one network lands', {
  id: id('route'),
  object: constant('route'),
  mode: MODE,
  asset_symbol: oneOfTexts(['USDT', 'USDC']),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  wallet_id: id('wal'),
  cooling_down_until: nullable(timestamp('Until then it cannot be changed again; null when it can')),
  created: timestamp(),
  updated_at: timestamp(),
});
