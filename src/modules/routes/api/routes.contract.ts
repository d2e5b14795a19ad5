import { ASSETS, TOKEN_IDS } from '../../../vocabulary/tokens';
import { isNetworkId, NETWORK_IDS } from '../../../vocabulary/networks';
import type { BodyCheck } from '../../../platform/http/caller';
import { Parts } from '../../../platform/http/fields/part-fields';
import { Id, Text } from '../../../platform/http/fields/text-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  constant,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { approvedToken } from '../routes.decider';

/** More than the number of pairs; a body that names a pair twice still gets its own refusal. */
const MAX_ENTRIES = 20;

class RouteEntryDto {
  @Text({ later: { enum: ASSETS }, example: 'USDC' })
  asset_symbol!: string;

  @Text({ later: { enum: NETWORK_IDS }, example: 'base' })
  network_id!: string;

  @Id('wal', { description: 'A verified wallet on this network.' })
  wallet_id!: string;
}

export class SetRoutesDto {
  @Parts(RouteEntryDto, { max: MAX_ENTRIES })
  routes!: RouteEntryDto[];
}

/** The command refuses an unknown network: the request has no mistake in its form, and its answer is kept. */
export const checkPairs: BodyCheck<SetRoutesDto> = ({ routes }) =>
  routes.forEach(({ asset_symbol, network_id }, index) => {
    if (isNetworkId(network_id)) approvedToken(asset_symbol, network_id, index);
  });

const ROUTE = resource('route', 'Where the money for one asset on one network lands', {
  id: id('route'),
  object: constant('route'),
  mode: MODE,
  asset_symbol: oneOfTexts<string>(ASSETS),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  wallet_id: id('wal'),
  cooling_down_until: nullable(timestamp('Until then it cannot be changed again; null when it can')),
  created: timestamp(),
  updated_at: timestamp(),
});

export type RouteResource = Answer<typeof ROUTE>;

export const ROUTE_OPERATIONS = {
  list: {
    id: 'listRoutes',
    summary: 'List the routes of this mode, newest first',
    answer: listOf(ROUTE),
    paged: true,
    refuses: [],
  },
  set: {
    id: 'setRoutes',
    summary: 'Set the routes of the pairs named, all or none; other pairs stay as they are',
    answer: listOf(ROUTE),
    refuses: [
      'unsupported_network', 'unknown_token', 'route_conflict', 'route_wallet_missing', 'wallet_merchant_mismatch',
      'network_mismatch', 'wallet_not_verified', 'route_cooling_down',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
