import type { DecisionContext } from '../../../src/kernel/decider';
import type { ErrorCode } from '../../../src/vocabulary/errors';
import type { RouteSet } from '../../../src/modules/routes/route.events';
import { routeId } from '../../../src/modules/routes/route-id';
import { routes, type RouteEntry, type RoutesCommand } from '../../../src/modules/routes/routes.decider';
import { given } from '../../support/given-when-then';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;

function at(now: number): DecisionContext {
  return { actor: { role: 'merchant', type: 'api_key', id: 'key_1' }, now };
}

const wallet = { merchantId: 'mch_1', networkId: 'base', verified: true };
const entry: RouteEntry = { assetSymbol: 'USDC', networkId: 'base', walletId: 'wal_1', wallet };
const bnbEntry: RouteEntry = {
  assetSymbol: 'USDT',
  networkId: 'bnb',
  walletId: 'wal_2',
  wallet: { ...wallet, networkId: 'bnb' },
};

function set(...entries: RouteEntry[]): RoutesCommand {
  return { type: 'set', merchantId: 'mch_1', mode: 'test', entries };
}

const first: RouteSet = {
  type: 'RouteSet',
  data: {
    route_id: routeId('test', 'mch_1', 'USDC', 'base'),
    asset_symbol: 'USDC',
    network_id: 'base',
    token_id: 'usdc-base',
    wallet_id: 'wal_1',
    changed: false,
    cooling_down_until: null,
  },
};
const change: RouteSet = {
  type: 'RouteSet',
  data: { ...first.data, wallet_id: 'wal_3', changed: true, cooling_down_until: '2026-11-02T12:00:00.000Z' },
};
const bnbFirst: RouteSet = {
  type: 'RouteSet',
  data: {
    route_id: routeId('test', 'mch_1', 'USDT', 'bnb'),
    asset_symbol: 'USDT',
    network_id: 'bnb',
    token_id: 'usdt-bnb',
    wallet_id: 'wal_2',
    changed: false,
    cooling_down_until: null,
  },
};

describe('setting routes', () => {
  it('sets the pairs that it names, without a cool-down at first', () => {
    given(routes, []).when(set(entry, bnbEntry), at(NOW)).then([first, bnbFirst]);
    given(routes, [first]).when(set(bnbEntry), at(NOW)).then([bnbFirst]);
  });

  it('is no change where the wallet stays', () => {
    given(routes, [first]).when(set(entry), at(NOW)).then([]);
    given(routes, [first]).when(set(entry, bnbEntry), at(NOW)).then([bnbFirst]);
  });

  it('changes a pair after a first setting at any time, and then not for a day', () => {
    const third = { ...entry, walletId: 'wal_3' };
    const fourth = { ...entry, walletId: 'wal_4' };
    given(routes, [first]).when(set(third), at(NOW)).then([change]);
    given(routes, [first, change])
      .when(set(fourth), at(NOW + 24 * HOUR_MS - 1))
      .thenRefused('route_cooling_down');
    const data = { ...change.data, wallet_id: 'wal_4', cooling_down_until: '2026-11-03T12:00:00.000Z' };
    given(routes, [first, change])
      .when(set(fourth), at(NOW + 24 * HOUR_MS))
      .then([{ type: 'RouteSet', data }]);
  });

  it('cools down one pair only, and takes what stands there', () => {
    const stands = { ...entry, walletId: 'wal_3' };
    given(routes, [first, change])
      .when(set(stands, bnbEntry), at(NOW + 1))
      .then([bnbFirst]);
  });

  it('goes back to the former wallet only after the cool-down', () => {
    given(routes, [first, change])
      .when(set(entry), at(NOW + 1))
      .thenRefused('route_cooling_down');
  });

  it('sets all or none', () => {
    given(routes, [first, change])
      .when(set(bnbEntry, entry), at(NOW + 1))
      .thenRefused('route_cooling_down');
  });

  // Rows stand in the order in which the checks speak: each has the faults of those below it as well.
  const foreign = { merchantId: 'mch_2', networkId: 'tron', verified: false };
  const twice = { ...entry, wallet: foreign };
  it.each<[ErrorCode, string, RouteEntry]>([
    ['unsupported_network', 'routes[1].network_id', { ...twice, networkId: 'ethereum', assetSymbol: 'BTC' }],
    ['unknown_token', 'routes[1].asset_symbol', { ...twice, assetSymbol: 'USDT' }],
    ['unknown_token', 'routes[1].asset_symbol', { ...twice, assetSymbol: 'usdc' }],
    ['route_conflict', 'routes[1]', { ...twice, wallet: null }],
    ['route_wallet_missing', 'routes[1].wallet_id', { ...bnbEntry, wallet: null }],
    ['wallet_merchant_mismatch', 'routes[1].wallet_id', { ...bnbEntry, wallet: foreign }],
    ['network_mismatch', 'routes[1].wallet_id', { ...bnbEntry, wallet: { ...foreign, merchantId: 'mch_1' } }],
    [
      'wallet_not_verified',
      'routes[1].wallet_id',
      { ...bnbEntry, wallet: { ...wallet, networkId: 'bnb', verified: false } },
    ],
  ])('refuses %s at %s', (code, param, faulty) => {
    given(routes, []).when(set(entry, faulty), at(NOW)).thenRefused(code, param);
  });
});
