import { HOUR_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import type { Universe } from '../../vocabulary/modes';
import { tokenOfPair, TOKENS, type Token } from '../../vocabulary/tokens';
import { isNetworkId, type NetworkId } from '../../vocabulary/networks';
import type { Aggregate } from '../../kernel/write-path';
import type { RouteEvent, RouteSet } from './route.events';
import { routeId } from './route-id';

/**
 * The time after a change in which a pair cannot be changed again. The merchant has time to notice a stranger's change.
 */
const ROUTE_COOL_DOWN_MS = 24 * HOUR_MS;

const APPROVED_PAIRS = Object.values(TOKENS)
  .map(({ asset, network }) => `${asset} on ${network}`)
  .join(', ');

/** A merchant's routes of one mode, by route id. */
type Routes = { readonly byId: Readonly<Record<string, RouteSet['data']>> };

/** The facts about a wallet that a route needs. */
export type RoutedWallet = {
  readonly merchantId: string;
  readonly networkId: string;
  readonly verified: boolean;
};

export type RouteEntry = {
  readonly assetSymbol: string;
  readonly networkId: string;
  readonly walletId: string;
  /** Null for a wallet that does not exist in this mode. */
  readonly wallet: RoutedWallet | null;
};

/** Sets all the named pairs or none; other pairs stay as they are. */
export type RoutesCommand = {
  readonly type: 'set';
  readonly merchantId: string;
  readonly mode: Universe;
  readonly entries: readonly RouteEntry[];
};

/**
 * The token of the pair that the entry at `index` names. Throws Refusal unknown_token for a pair that is not
 * approved.
 */
export function approvedToken(assetSymbol: string, networkId: NetworkId, index: number): Token {
  const token = tokenOfPair(assetSymbol, networkId);
  const message = `This asset is not approved on this network; the approved pairs are ${APPROVED_PAIRS}.`;
  if (!token) throw refuse('unknown_token', { param: `routes[${index}].asset_symbol`, message });
  return token;
}

function decide(command: RoutesCommand, state: Routes, { now }: DecisionContext): readonly RouteEvent[] {
  const { merchantId, mode, entries } = command;
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const param = (field: string) => ({ param: `routes[${index}].${field}` });
    const { assetSymbol, networkId, walletId, wallet } = entry;
    if (!isNetworkId(networkId)) throw refuse('unsupported_network', param('network_id'));
    const token = approvedToken(assetSymbol, networkId, index);
    if (seen.has(token.id)) throw refuse('route_conflict', { param: `routes[${index}]` });
    seen.add(token.id);
    if (!wallet) throw refuse('route_wallet_missing', param('wallet_id'));
    if (wallet.merchantId !== merchantId) throw refuse('wallet_merchant_mismatch', param('wallet_id'));
    if (wallet.networkId !== networkId) throw refuse('network_mismatch', param('wallet_id'));
    if (!wallet.verified) throw refuse('wallet_not_verified', param('wallet_id'));
    const id = routeId(mode, merchantId, assetSymbol, networkId);
    const standing = state.byId[id];
    if (standing?.wallet_id === walletId) return [];
    if (isCoolingDown(standing, now)) throw refuse('route_cooling_down', { param: `routes[${index}]` });
    const changed = standing !== undefined;
    const data = {
      route_id: id,
      asset_symbol: assetSymbol,
      network_id: networkId,
      token_id: token.id,
      wallet_id: walletId,
      changed,
      cooling_down_until: changed ? isoTime(now + ROUTE_COOL_DOWN_MS) : null,
    };
    return [{ type: 'RouteSet', data }];
  });
}

function isCoolingDown(route: RouteSet['data'] | undefined, now: number): boolean {
  const until = route?.cooling_down_until ?? null;
  return until !== null && now < parseIsoTime(until);
}

function evolve(state: Routes, { data }: RouteEvent): Routes {
  return { byId: { ...state.byId, [data.route_id]: data } };
}

export const routes: Aggregate<Routes, RoutesCommand, RouteEvent> = {
  category: 'routes',
  // The stream's id is the merchant's own, so nobody can ask for another merchant's stream.
  notFound: null,
  initial: { byId: {} },
  decide,
  evolve,
};
