import type { ComponentChild } from 'preact';
import type { ApiKeyResource } from '../../../src/modules/api-keys/api/api-keys.contract';
import type { HomeView } from '../../../src/modules/home/queries/home-view';
import { EventsPage } from '../../../web/dashboard/events/events.page';
import type { DashboardFacts } from '../../../web/parts/dashboard-context';
import type { FormFault } from '../../../web/parts/signed-context';
import { HomePage } from '../../../web/dashboard/home/home.page';
import { roleGrants } from '../../../src/modules/api-keys/role-grants';
import { KeyPage } from '../../../web/dashboard/keys/key.page';
import { KeysPage } from '../../../web/dashboard/keys/keys.page';
import { NewKeyPage } from '../../../web/dashboard/keys/new-key.page';
import { RequestsPage } from '../../../web/dashboard/requests/requests.page';
import type { ShownPayment } from '../../../web/dashboard/simulate/shown-payment';
import { SimulatePage } from '../../../web/dashboard/simulate/simulate.page';
import { WalletsPage } from '../../../web/dashboard/wallets/wallets.page';
import { WebhooksPage } from '../../../web/dashboard/webhooks/webhooks.page';
import { formFault } from '../../../web/http/form-fault';
import { pageText } from '../../../web/http/page-sender';
import { refuse } from '../../../src/vocabulary/errors';
import type { UserRole } from '../../../src/vocabulary/roles';
import { factsIn } from '../page-facts';
import { withinDashboard } from './rendered-dashboard';

const NONE = { count: 0, isMore: false };
const DAYS = ['2026-11-25', '2026-11-26'];
const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const waiting = {
  ...{ underpaid: NONE, late: NONE, unmatchedTransfers: NONE, holds: NONE, disabledEndpoints: NONE },
  exhaustedEvents: NONE,
};
const quiet: HomeView = {
  ...{ days: DAYS, takings: [], lost: { transfers: 0, payments: [] }, waiting, headroom: [], coverage: [], steps: [] },
};

function rendered(page: ComponentChild, role: UserRole = 'owner', fault: FormFault | null = null): string {
  const facts: DashboardFacts = {
    reader: {
      ...{ name: 'Ann', email: 'ann@shop.example', role, merchantName: 'Shop <b>', mode: 'test', nowMs: NOW },
      ...{ timeZone: 'UTC', account: { isClosed: false, pause: null } },
    },
    ...{ mode: 'test', modes: ['live', 'test'], nav: [] },
  };
  return pageText(factsIn('en', '/dashboard/test'), withinDashboard(page, facts, { fault })).replaceAll(
    /<!--.*?-->/g,
    '',
  );
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const home = (view: Partial<HomeView>) => rendered(<HomePage view={{ ...quiet, ...view }} />);

describe('the home page', () => {
  it('escapes the names of merchants', () => {
    expect(home({})).toContain('Shop &lt;b>');
  });

  it('says so where nothing was taken and nothing waits', () => {
    const text = textOf(home({}));
    expect(text).toContain('Nothing was taken in the last 2 days.');
    expect(text).toContain('Nothing waits.');
    expect(text).toContain('No network is watched in this mode.');
    expect(text).not.toContain('First steps');
  });

  it('tells takings by currency, each in its own decimals, and adds none up', () => {
    const days = (amounts: readonly bigint[]) =>
      amounts.map((minorUnits, index) => ({ day: DAYS[index] ?? '', payments: index + 1, minorUnits }));
    const takings = [
      { currency: 'EUR', days: days([1_00n, 2_50n]) },
      { currency: 'JPY', days: days([0n, 900n]) },
      { currency: 'KWD', days: days([1n, 12_500n]) },
    ];
    const text = textOf(home({ takings }));
    const marked = '25 Nov: €1.00 26 Nov: €2.50 25 Nov Today';
    for (const shown of ['€2.50 2 payments', '€3.50 3 payments', '¥900', 'KWD 12.501', '25 Nov €1.00', marked])
      expect(text).toContain(shown);
    expect(text.match(/Last 2 days/g)).toHaveLength(3);
  });

  it('tells of lost transfers beside the takings, with the ways to their payments', () => {
    const html = home({ lost: { transfers: 2, payments: ['pi_1', 'pi_2'] } });
    expect(textOf(html)).toContain('2 transfers of settled payments were lost on the chain');
    expect(html).toContain('href="/dashboard/test/payments/pi_2"');
  });

  it('names what waits with its number and its way, and leaves out the rest', () => {
    const html = home({
      waiting: { ...waiting, late: { count: 99, isMore: true }, disabledEndpoints: { ...NONE, count: 1 } },
    });
    expect(textOf(html)).toContain('99+ Payments with late money');
    expect(html).toContain('href="/dashboard/test/webhooks"');
    expect(html).not.toContain('Unmatched transfers');
  });

  it.each([
    ['behind', 7, 'Behind The newest block read is 7 minutes old.'],
    [null, 0, 'Watching Read up to the last minute.'],
    ['gaps', null, 'Gaps No block was read yet.'],
  ] as const)('tells how a network is read: %s', (alarm, lagMinutes, expected) => {
    expect(textOf(home({ coverage: [{ network: 'tron', alarm, lagMinutes }] }))).toContain(`TRON ${expected}`);
  });

  it('warns where few amounts are left', () => {
    const points = [
      { price: 10n, free: 99, of: 999 },
      { price: 100n, free: 4_999, of: 4_999 },
    ];
    expect(textOf(home({ headroom: [{ tokenId: 'usdc-base', points }] }))).toContain('USDC on Base 99 left 4,999');
  });

  it('leads through the first steps, to the next one first', () => {
    const steps = [
      { step: 'wallet', isDone: true },
      { step: 'route', isDone: false },
      { step: 'payment', isDone: false },
    ] as const;
    const html = home({ steps });
    expect(html).toMatch(/<li class="now" aria-current="step">.*?Set a route/);
    expect(textOf(html)).toContain('Prove a wallet (done)');
  });
});

describe('a page behind the last object', () => {
  const END = { next: null, isFirst: false };

  it.each([
    ['keys', <KeysPage key="keys" keys={[]} {...END} />],
    ['endpoints', <WebhooksPage key="endpoints" endpoints={[]} {...END} />],
    ['events', <EventsPage key="events" events={[]} filters={{}} fault={null} {...END} />],
    ['wallets', <WalletsPage key="wallets" view={{ wallets: [], hasEmptyExchangeList: false, ...END }} />],
  ])('says that there are no older %s, and leads to the newest', (objects, page) => {
    const text = textOf(rendered(page));
    expect(text).toContain(`No older ${objects} The newest ones`);
    expect(text).not.toContain('yet');
  });
});

describe('the form of a new key', () => {
  const GRANTOR = { scopes: ['payment:read'], endsAt: null, withheld: [] } as const;

  it('says what a key of the role may not do, and who makes one that may', () => {
    const page = (role: 'owner' | 'developer') => <NewKeyPage role={role} grantor={roleGrants(role)} />;
    const text = textOf(rendered(page('developer'), 'developer'));
    expect(text).toContain('since your role, Developer, does not allow it: Cancel payments payment.cancel');
    expect(text).toContain('ask an owner to make the key');
    expect(textOf(rendered(page('owner')))).not.toContain('does not allow it');
  });

  it('offers the scopes of the role alone', () => {
    const html = rendered(<NewKeyPage role="owner" grantor={GRANTOR} />);
    expect(html).toContain('name="payment:read"');
    expect(html).not.toContain('name="wallet:manage"');
  });

  it('shows why the scopes were refused', () => {
    const action = '/dashboard/test/keys/new';
    const fault = {
      action,
      code: 'invalid_scope',
      param: 'scopes',
      text: 'Tick one.',
      typed: { name: 'Till' },
    } as const;
    const html = rendered(<NewKeyPage role="owner" grantor={GRANTOR} />, 'owner', fault);
    expect(html).toContain('href="#keys-new-scopes"');
    expect(html).toContain('id="keys-new-scopes"');
    expect(html).toContain('value="Till"');
  });
});

describe('the page of a key', () => {
  const key: ApiKeyResource = {
    id: 'key_1',
    object: 'api_key',
    mode: 'test',
    kind: 'sk',
    name: null,
    scopes: ['wallet:manage'],
    denied: [],
    last4: 'abcd',
    status: 'active',
    created: '2026-11-26T12:00:00.000Z',
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  };

  it('is rotated and revoked by people who may give its scopes', () => {
    const html = rendered(<KeyPage apiKey={key} grantor={roleGrants('owner')} />);
    expect(html).toContain('action="/dashboard/test/keys/key_1/rotate"');
    expect(html).toContain('action="/dashboard/test/keys/key_1/revoke"');
  });

  it('says why a developer does not end a key with more rights', () => {
    const html = rendered(<KeyPage apiKey={key} grantor={roleGrants('developer')} />, 'developer');
    expect(html).not.toContain('/revoke"');
    expect(textOf(html)).toContain('This key may do more than your role.');
  });

  it('lets a developer revoke, but not rotate, a key that decides payments', () => {
    const apiKey = { ...key, scopes: ['payment:create'] } as const;
    const html = rendered(<KeyPage apiKey={apiKey} grantor={roleGrants('developer')} />, 'developer');
    expect([html.includes('/rotate"'), html.includes('/revoke"')]).toEqual([false, true]);
    expect(textOf(html)).toContain('An owner rotates it; you may revoke it.');
  });

  it('says what the key may not do', () => {
    const { withheld: denied } = roleGrants('developer');
    const apiKey = { ...key, scopes: ['payment:create'], denied } as ApiKeyResource;
    const html = rendered(<KeyPage apiKey={apiKey} grantor={roleGrants('developer')} />, 'developer');
    expect(textOf(html)).toContain('Accept and reject payments payment.decide');
    expect(html).toContain('/rotate"');
  });

  it.each([['viewer'], ['finance']] as const)('offers a %s nothing', role => {
    expect(rendered(<KeyPage apiKey={key} grantor={roleGrants(role)} />, role)).not.toContain(
      '<details class="confirm',
    );
  });

  it.each([['revoked'], ['expired']] as const)('leaves a key that is %s as it is', status => {
    const html = rendered(<KeyPage apiKey={{ ...key, status }} grantor={roleGrants('owner')} />);
    expect(html).not.toContain('/revoke"');
  });
});

describe('the list of requests', () => {
  const filters = { status: '4', path: '', key: '' };

  it('goes on where a long look ended, though nothing was found', () => {
    const html = rendered(<RequestsPage requests={[]} next="req_9" filters={filters} fault={null} isFirst />);
    expect(textOf(html)).toContain('No such request');
    expect(html).toContain('status=4&amp;path=&amp;key=&amp;starting_after=req_9');
  });

  it('tells the first request from none that passes the filters', () => {
    const none = { status: '', path: '', key: '' };
    const html = rendered(<RequestsPage requests={[]} next={null} filters={none} fault={null} isFirst />);
    expect(textOf(html)).toContain('No key has sent a request yet');
  });
});

describe('the panel of test mode', () => {
  const toPay = { amount: '27.01', asset: 'USDC', network: 'base', until: '2026-11-26T12:15:00.000Z' } as const;
  const offer = { tokenId: 'usdc-base', asset: 'USDC', networkName: 'Base', unavailable: null } as const;
  const payment = (status: string, changes: Partial<ShownPayment> = {}): ShownPayment =>
    ({
      ...{ id: 'pi_1', amount: '2500', currency: 'EUR', currency_decimals: 2, status, description: null, toPay: null },
      ...{ offers: [], isHoldOpen: false, isRejected: false, ...changes },
    }) as ShownPayment;
  const panel = (chosen: ShownPayment | null, aheadMs = 0, fault: FormFault | null = null) => {
    const page = <SimulatePage now="2026-11-26T12:00:00.000Z" aheadMs={aheadMs} recent={[]} chosen={chosen} />;
    return rendered(page, 'owner', fault);
  };

  it.each([
    ['created', { offers: [offer] }, ['simulate/pi_1/method']],
    ['created', { offers: [{ ...offer, unavailable: 'wallet_not_verified' }] }, []],
    ['awaiting_payment', { toPay }, ['simulate/pi_1/transfer']],
    ['expired', { toPay }, ['simulate/pi_1/transfer']],
    ['underpaid', { toPay }, ['simulate/pi_1/transfer']],
    ['underpaid', { isHoldOpen: true }, []],
    ['confirmed', {}, []],
  ] as const)('offers the next step of a payment that is %s', (status, changes, actions) => {
    const html = panel(payment(status, changes as Partial<ShownPayment>));
    const shown = ['simulate/pi_1/method', 'simulate/pi_1/transfer'].filter(each =>
      html.includes(`action="/dashboard/test/${each}"`),
    );
    expect(shown).toEqual(actions);
  });

  it.each([
    ['awaiting_payment', ['exact', 'short', 'over', 'late', 'reorged', 'reverted', 'wrong_token']],
    ['underpaid', ['exact', 'short', 'over', 'wrong_token']],
    ['expired', ['exact', 'short', 'over', 'late', 'wrong_token']],
  ])('offers no outcome that would be refused: %s', (status, outcomes) => {
    const html = panel(payment(status, { toPay }));
    const values = [...html.matchAll(/<input[^>]* name="outcome"[^>]*>/g)].map(([input]) =>
      /value="(\w+)"/.exec(input),
    );
    expect(values.map(found => found?.[1])).toEqual(outcomes);
  });

  it('marks a payment as the list of payments does', () => {
    const text = textOf(panel(payment('underpaid', { isHoldOpen: true, isRejected: true })));
    expect(text).toMatch(/Underpaid\s+Held\s+Rejected/);
    expect(text).not.toContain('To pay');
  });

  it.each([
    ['awaiting_payment', toPay],
    ['confirmed', null],
  ])('says once why a step was refused, where the payment is %s', (status, asked) => {
    const action = '/dashboard/test/simulate/pi_1/transfer';
    const refusal = refuse('invalid_state_transition', { param: 'outcome', message: 'Too late.' });
    const html = panel(payment(status, { toPay: asked }), 0, formFault(refusal, action, { outcome: 'late' }));
    expect(html.split('Too late.')).toHaveLength(2);
  });

  it.each([
    [0, 'As the real time'],
    [15 * 60_000, '15 min ahead of the real time'],
    [(24 * 60 + 61) * 60_000, '1 d 1 h 1 min ahead of the real time'],
  ])('tells how far the clock is ahead: %d', (aheadMs, expected) => {
    expect(textOf(panel(null, aheadMs))).toContain(expected);
  });
});
