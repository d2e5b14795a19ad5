import type { ComponentChild } from 'preact';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import type { RouteResource } from '../../../src/modules/routes/api/routes.contract';
import type { AskedDeposit, WalletProof } from '../../../src/modules/wallets/queries/wallet-proof';
import type { UserRole } from '../../../src/vocabulary/roles';
import { RoutesPage, type RoutedPair } from '../../../web/dashboard/routes/routes.page';
import { WalletPage } from '../../../web/dashboard/wallets/wallet.page';
import { WalletsPage, type WalletsView } from '../../../web/dashboard/wallets/wallets.page';
import type { DashboardFacts } from '../../../web/parts/dashboard-context';
import type { FormFault } from '../../../web/parts/signed-context';
import { pageText } from '../../../web/http/page-sender';
import { factsIn } from '../page-facts';
import { withinDashboard } from './rendered-dashboard';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const SOON = '2026-11-26T12:05:00.000Z';
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const wallet: WalletResource = {
  ...{ id: 'wal_1', object: 'wallet', mode: 'test', network_id: 'base', address: ADDRESS, label: 'Till <b>' },
  ...{ controls_private_key: true, dedicated: false, status: 'pending', verification: null, created: SOON },
};
const none: WalletProof = { methods: ['signed_message', 'micro_deposit'], asked: null, signature: null, deposit: null };
const signing: WalletProof = {
  ...none,
  asked: 'signed_message',
  signature: { challenge: 'Sign "this"\nnow', expires_at: SOON, lapsed: false },
};
const deposit: AskedDeposit = {
  ...{ address: ADDRESS, token_id: 'usdt-bnb', amount_base_units: '1001000000000000', expires_at: SOON },
  ...{ status: 'open', transfer: null, dropped: null },
};
const depositing = (changes: Partial<AskedDeposit> = {}): WalletProof => ({
  ...{ ...none, asked: 'micro_deposit', deposit: { ...deposit, ...changes } },
});

function rendered(page: ComponentChild, role: UserRole = 'owner', fault: FormFault | null = null): string {
  const facts: DashboardFacts = {
    reader: {
      ...{ name: 'Ann', email: 'ann@shop.example', role, merchantName: 'Shop', mode: 'test', nowMs: NOW },
      ...{ timeZone: 'Europe/Athens', account: { isClosed: false, pause: null } },
    },
    ...{ mode: 'test', modes: ['live', 'test'], nav: [] },
  };
  return pageText(factsIn('en', '/dashboard/test'), withinDashboard(page, facts, { fault })).replaceAll(
    /<!--.*?-->/g,
    '',
  );
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const page = (proof: WalletProof | null, role?: UserRole, fault?: FormFault | null) =>
  rendered(<WalletPage view={{ wallet, proof, serves: [] }} wallNowMs={NOW} />, role, fault);
const faultOf = (form: string): FormFault => ({
  ...{ action: `/dashboard/test/wallets/wal_1/${form}`, code: 'invalid_challenge_field', param: null },
  ...{ text: 'Why it was refused.', typed: {} },
});

describe('the page of a wallet', () => {
  it('escapes labels, and has the whole address to compare and to copy', () => {
    const html = page(none);
    expect(html).toContain('<h1>Till &lt;b></h1>');
    expect(html).toContain(`data-copy="${ADDRESS}"`);
    expect(html).toContain('<b>0x19</b><b>E7E3</b><span>76E7</span>');
  });

  it('lets the way of the proof be chosen among those that are checked', () => {
    expect(page(none).match(/type="radio"/g)).toHaveLength(2);
    const one = page({ ...none, methods: ['micro_deposit'] });
    expect(one).toMatch(/value="micro_deposit" checked/);
    expect(one).not.toContain('value="signed_message"');
    expect(textOf(page({ ...none, methods: [] }))).toContain('This service can check no proof on this network');
  });

  it('shows the text to sign to the letter, with its end by the merchant’s clock', () => {
    const html = page(signing);
    expect(html).toContain('<code>Sign &quot;this&quot;\nnow</code>');
    expect(html).toContain('data-message="Sign &quot;this&quot;\nnow"');
    expect(html).toContain('>5:00</span>');
    expect(html).toContain('data-wallet="evm"');
  });

  it('shows the exact amount of a micro-deposit, its address and its code', () => {
    const html = page(depositing());
    expect(html).toContain('data-copy="0.001001"');
    expect(textOf(html)).toContain('0.001001 USDT');
    expect(html).toContain('role="img"');
    expect(html).toContain('>5:00</span>');
  });

  it.each([
    ['reorged_out', 'left the chain again'],
    ['reverted', 'has failed on the chain'],
    ['verification_failed', 'is not the one asked for'],
  ] as const)('tells that a deposit does not count: %s', (dropped, words) => {
    expect(textOf(page(depositing({ dropped })))).toContain(words);
  });

  it.each([
    ['a lapsed text', { ...signing, signature: { challenge: 'x', expires_at: SOON, lapsed: true } }, 'has lapsed'],
    ['a lapsed deposit', depositing({ status: 'lapsed' }), 'do not send it any more'],
    ['a deposit whose amount has gone', { ...none, asked: 'micro_deposit', deposit: null }, 'do not send it any more'],
  ] as const)('asks anew after %s, by one form', (_, proof, words) => {
    const html = page(proof);
    expect(textOf(html)).toContain(words);
    expect(html.match(/wal_1\/challenge"/g)).toHaveLength(1);
    expect(html).not.toMatch(/wal_1\/verify|class="qr"/);
  });

  it('asks for nothing more once the deposit is seen', () => {
    const html = page(depositing({ status: 'seen', transfer: { tx_hash: '0x7a', block_number: 41 } }));
    expect(textOf(html)).toContain('Transaction 0x7a Block 41');
    expect(html).not.toMatch(/wal_1\/(?:challenge|verify)/);
  });

  it.each([
    ['verify', signing],
    ['verify', none],
    ['verify', null],
    ['challenge', none],
    ['challenge', null],
    ['challenge', depositing({ status: 'seen' })],
    ['change', none],
    ['change', null],
  ])('tells once why a form was refused, also where it is gone: %s', (form, proof) => {
    const html = page(proof, 'owner', faultOf(form));
    expect(html.match(/Why it was refused\./g)).toHaveLength(1);
    expect(html.match(/autofocus/g)).toHaveLength(1);
  });

  it.each(['developer', 'finance', 'support', 'viewer'] as const)('has no form for the role %s', role => {
    for (const proof of [none, signing, depositing(), null]) expect(page(proof, role)).not.toContain('wal_1/');
  });
});

describe('the page of all wallets', () => {
  const wallets = (view: Partial<WalletsView> = {}, role?: UserRole) =>
    rendered(
      <WalletsPage view={{ wallets: [], next: null, isFirst: true, hasEmptyExchangeList: false, ...view }} />,
      role,
    );

  it('leads to the first wallet where there is none, and only people who may add one', () => {
    expect(textOf(wallets())).toContain('There is no wallet yet');
    expect(wallets()).toContain('wallets/new');
    expect(wallets({}, 'finance')).not.toContain('wallets/new');
  });

  it('tells of each wallet what it receives, and leads to older ones', () => {
    const html = wallets({ wallets: [{ ...wallet, serves: ['usdc-base'] }], next: wallet.id });
    expect(textOf(html)).toContain('Not verified Base USDC on Base Shared');
    expect(html).toContain('?starting_after=wal_1');
  });
});

describe('the page of routes', () => {
  const route: RouteResource = {
    ...{ id: 'route_1', object: 'route', mode: 'test', asset_symbol: 'USDC', network_id: 'base' },
    ...{ token_id: 'usdc-base', wallet_id: 'wal_1', cooling_down_until: null, created: SOON, updated_at: SOON },
  };
  const other = { ...wallet, id: 'wal_2', label: 'Other' };
  const pair = (changes: Partial<RoutedPair>): RoutedPair => ({
    ...{ tokenId: 'usdc-base', route: null, wallet: null, choices: [], ...changes },
  });
  const shown = (changes: Partial<RoutedPair>, role?: UserRole) =>
    rendered(<RoutesPage pairs={[pair(changes)]} />, role);

  it('leads to the wallets where none is verified', () => {
    expect(textOf(shown({}))).toContain('A route leads to a verified wallet, and there is none yet.');
    expect(shown({})).not.toContain('<select');
  });

  it('lets a pair without a route stay so, and no pair lose its route', () => {
    expect(shown({ choices: [wallet] })).toMatch(/<option [^>]*selected[^>]*>No route yet</);
    expect(shown({ choices: [wallet], route, wallet })).not.toContain('No route yet');
  });

  it('shows the end of a cool-down in the merchant’s time zone, until which nothing else can be chosen', () => {
    const html = shown({ choices: [wallet, other], wallet, route: { ...route, cooling_down_until: SOON } });
    expect(textOf(html)).toContain('Cooling down until 26 Nov 2026, 14:05');
    expect(html).not.toContain('Other');
  });

  it('has no form for people who may not set routes', () => {
    expect(shown({ choices: [wallet], route, wallet }, 'finance')).not.toMatch(/<select|name="code"/);
  });
});
