import type { Universe } from '../../vocabulary/modes';
import { derivedId } from '../../vocabulary/ids';

/** The id of a merchant's route for one pair, set or not. */
export function routeId(mode: Universe, merchantId: string, assetSymbol: string, networkId: string): string {
  return derivedId('route', [mode, merchantId, assetSymbol, networkId]);
}
