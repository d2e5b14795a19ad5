import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';

/** From now on a pair's payments go to this wallet. */
export type RouteSet = {
  readonly type: 'RouteSet';
  readonly data: {
    readonly route_id: string;
    readonly asset_symbol: string;
    readonly network_id: NetworkId;
    readonly token_id: TokenId;
    readonly wallet_id: string;
    /** False at a pair's first setting, which starts no cool-down. */
    readonly changed: boolean;
    readonly cooling_down_until: string | null;
  };
};

export type RouteEvent = RouteSet;
