import { NETWORK_IDS, TOKEN_IDS } from '../../../kernel/tokens';
import {
  constant,
  id,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';

export const ROUTE = resource('route', 'Where the money for one asset on one network lands', {
  id: id('route'),
  object: constant('route'),
  mode: MODE,
  asset_symbol: oneOfTexts<string>(['USDT', 'USDC']),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  wallet_id: id('wal'),
  cooling_down_until: nullable(timestamp('Until then it cannot be changed again; null when it can')),
  created: timestamp(),
  updated_at: timestamp(),
});

export type RouteResource = Answer<typeof ROUTE>;
