import type { MerchantContext } from '../../../src/kernel/command-context';
import type { Mode } from '../../../src/vocabulary/modes';
import { presentRoute } from '../../../src/modules/routes/api/route.presenter';
import { SetRoutes, SetRoutesHandler } from '../../../src/modules/routes/set-routes.command';
import { wallets } from '../../../src/modules/wallets/wallet.decider';
import { routesProjection } from '../../../projections/routes.projection';
import { IdentityFixture, MERCHANT, NOON, OTHER_MERCHANT } from '../merchants/identity-fixture';

describe('routes', () => {
  let fixture: IdentityFixture;
  let count = 0;

  beforeEach(() => {
    fixture = new IdentityFixture();
  });

  async function wallet(
    network: 'base' | 'bnb',
    { verified = true, merchantId = MERCHANT, mode = 'test' as Mode } = {},
  ) {
    const id = `wal_${String(++count).padStart(26, '0')}`;
    const address = `0x${String(count).padStart(40, '0')}`;
    const registration = { network_id: network, address, label: 'Till', controls_private_key: true };
    const run = (command: Parameters<typeof wallets.decide>[0]) =>
      fixture.writePath.execute(wallets, id, command, fixture.context(mode, merchantId));
    await run({ type: 'register', registration });
    if (!verified) return id;
    const facts = { domain: 'pay.example', walletId: id, mode, nonce: 'n' };
    const { state } = await run({ type: 'issue_challenge', ...facts });
    if (state.status !== 'pending' || state.challenge?.method !== 'signed_message') throw new Error('no challenge');
    await run({ type: 'verify', challenge: state.challenge.challenge });
    return id;
  }

  function set(
    entries: readonly (readonly [string, string, string])[],
    context: MerchantContext = fixture.context('test'),
  ) {
    const terms = entries.map(([assetSymbol, networkId, walletId]) => ({ assetSymbol, networkId, walletId }));
    return new SetRoutesHandler(fixture.writePath, fixture).execute(new SetRoutes(terms, context));
  }

  it('answers all routes, newest first, with what the API shows', async () => {
    const [base, bnb] = [await wallet('base'), await wallet('bnb')];
    await set([['USDC', 'base', base]]);
    fixture.nowMs += 1_000;
    const answered = await set([['USDT', 'bnb', bnb]]);
    expect(answered.map(route => presentRoute(route, fixture.nowMs))).toEqual([
      {
        id: expect.stringMatching(/^route_[0-9a-z]{26}$/) as string,
        object: 'route',
        mode: 'test',
        asset_symbol: 'USDT',
        network_id: 'bnb',
        token_id: 'usdt-bnb',
        wallet_id: bnb,
        cooling_down_until: null,
        created: '2026-11-01T12:00:01.000Z',
        updated_at: '2026-11-01T12:00:01.000Z',
      },
      {
        id: expect.stringMatching(/^route_[0-9a-z]{26}$/) as string,
        object: 'route',
        mode: 'test',
        asset_symbol: 'USDC',
        network_id: 'base',
        token_id: 'usdc-base',
        wallet_id: base,
        cooling_down_until: null,
        created: '2026-11-01T12:00:00.000Z',
        updated_at: '2026-11-01T12:00:00.000Z',
      },
    ]);
    const query = { index: 'by_merchant', equals: { merchant_id: MERCHANT, mode: 'test' }, descending: true, limit: 9 };
    expect(await fixture.list(routesProjection, query)).toEqual(answered);
  });

  it('shows a cool-down until it is over', async () => {
    const [before, after] = [await wallet('base'), await wallet('base')];
    await set([['USDC', 'base', before]]);
    fixture.nowMs += 1_000;
    const [route] = await set([['USDC', 'base', after]]);
    if (!route) throw new Error('the route was not answered');
    const until = '2026-11-02T12:00:01.000Z';
    expect(presentRoute(route, NOON + 1_000)).toMatchObject({ wallet_id: after, cooling_down_until: until });
    expect(presentRoute(route, Date.parse(until)).cooling_down_until).toBeNull();
    expect(route.body.created).toBe('2026-11-01T12:00:00.000Z');
    expect(route.body.updated_at).toBe('2026-11-01T12:00:01.000Z');
  });

  it('routes to a wallet that was verified a moment ago, even where its document lags behind', async () => {
    fixture.mirrors = () => false;
    await expect(set([['USDC', 'base', await wallet('base')]])).resolves.toHaveLength(1);
  });

  it.each<[string, () => Promise<string>]>([
    ['route_wallet_missing', () => Promise.resolve('wal_00000000000000000000000000')],
    ['route_wallet_missing', () => Promise.resolve('nonsense')],
    ['route_wallet_missing', () => wallet('base', { mode: 'live' })],
    ['wallet_merchant_mismatch', () => wallet('base', { merchantId: OTHER_MERCHANT })],
    ['network_mismatch', () => wallet('bnb')],
    ['wallet_not_verified', () => wallet('base', { verified: false })],
  ])('refuses %s and sets nothing', async (code, make) => {
    const bad = await make();
    const good = await wallet('bnb');
    const refused = set([
      ['USDT', 'bnb', good],
      ['USDC', 'base', bad],
    ]);
    await expect(refused).rejects.toMatchObject({ code, param: 'routes[1].wallet_id' });
    expect(await fixture.eventTypes('test', 'routes', MERCHANT)).toEqual([]);
  });

  it('keeps the routes of modes and merchants apart', async () => {
    const [test, live] = [await wallet('base'), await wallet('base', { mode: 'live' })];
    const foreign = await wallet('base', { merchantId: OTHER_MERCHANT });
    const [a] = await set([['USDC', 'base', test]]);
    const [b] = await set([['USDC', 'base', live]], fixture.context('live'));
    const [c] = await set([['USDC', 'base', foreign]], fixture.context('test', OTHER_MERCHANT));
    expect(new Set([a?.id, b?.id, c?.id]).size).toBe(3);
    expect(b?.body.mode).toBe('live');
  });

  it('lets one of two changes at once through', async () => {
    const [first, second, third] = [await wallet('base'), await wallet('base'), await wallet('base')];
    await set([['USDC', 'base', first]]);
    const outcomes = await Promise.allSettled([set([['USDC', 'base', second]]), set([['USDC', 'base', third]])]);
    const refused = outcomes.filter(outcome => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(['route_cooling_down']);
  });
});
