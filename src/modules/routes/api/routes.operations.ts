import type { OperationTable } from '../../../platform/http/openapi-operation';
import { listOf } from '../../../platform/http/openapi-schema';
import { ROUTE } from './route.schema';

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
      'unsupported_network', 'asset_token_mismatch', 'route_conflict', 'route_wallet_missing', 'wallet_merchant_mismatch',
      'network_mismatch', 'wallet_not_verified', 'route_cooling_down',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
