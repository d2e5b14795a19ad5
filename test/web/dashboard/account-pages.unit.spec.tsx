import type { ComponentChild } from 'preact';
import type { PauseReason } from '../../../src/modules/merchants/merchants.read-model';
import type { KybStanding, ShownKybCase } from '../../../src/modules/kyb/queries/get-kyb-standing.query';
import type { ListedUser } from '../../../src/modules/users/queries/listed-user';
import type { UserRole } from '../../../src/vocabulary/roles';
import { PersonPage } from '../../../web/dashboard/people/person.page';
import { AccountPage } from '../../../web/dashboard/settings/account.page';
import { NotificationsPage } from '../../../web/dashboard/settings/notifications.page';
import { SettingsPage, type SettingsView } from '../../../web/dashboard/settings/settings.page';
import { caseIn } from '../../../web/dashboard/verification/verification-form';
import { VerificationPage } from '../../../web/dashboard/verification/verification.page';
import { pageText } from '../../../web/http/page-sender';
import type { AccountState, DashboardFacts } from '../../../web/parts/dashboard-context';
import { countryName } from '../../../web/words/countries';
import { fileSize } from '../../../web/words/file-size';
import { bpsOfPercent, percentOfBps } from '../../../web/words/percent';
import { factsIn } from '../page-facts';
import { withinDashboard } from './rendered-dashboard';

const AT = '2026-11-26T12:00:00.000Z';
const OPEN: AccountState = { isClosed: false, pause: null };

function rendered(page: ComponentChild, role: UserRole = 'owner', account = OPEN, mode: 'test' | 'live' = 'live') {
  const facts: DashboardFacts = {
    reader: {
      ...{ name: 'Ann', email: 'ann@shop.example', role, merchantName: 'Shop', mode, nowMs: Date.parse(AT) },
      ...{ timeZone: 'UTC', account },
    },
    ...{ mode, modes: ['live', 'test'], nav: [] },
  };
  return pageText(factsIn('en', `/dashboard/${mode}`), withinDashboard(page, facts));
}
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const actionsOf = (html: string) => [...html.matchAll(/action="\/dashboard\/live\/([^"]*)"/g)].map(([, path]) => path);

const ada: ListedUser = {
  ...{ id: 'usr_1', email: 'ada@shop.example', name: 'Ada <b>', role: 'finance', status: 'active' },
  ...{ email_verified_at: AT, totp_enrolled_at: AT, recovery_codes_left: 9, passkey_count: 2, created: AT },
};

describe('the note on a mode without payments', () => {
  const page = <NotificationsPage mode="live" notifications={[]} />;
  it.each<[PauseReason | null, UserRole, string | null]>([
    [null, 'owner', null],
    ['kyb', 'owner', 'Live mode takes no new payments. Your business is not verified yet. Verification'],
    ['kyb', 'viewer', 'Live mode takes no new payments. The business is not verified yet, which an owner asks for.'],
    ['operator', 'owner', 'Live mode takes no new payments. The operator of this service has stopped it.'],
    ['fee_invoice', 'owner', 'Live mode takes no new payments. A fee invoice is overdue. Fees'],
  ])('for the reason %s says to %s: %s', (pause, role, words) => {
    const text = textOf(rendered(page, role, { isClosed: false, pause }));
    if (words === null) expect(text).not.toContain('takes no new payments');
    else expect(text).toContain(words);
  });

  it('says of a closed account that it is closed, and names the mode that is stopped', () => {
    const closed = textOf(rendered(page, 'owner', { isClosed: true, pause: 'not_active' }));
    expect(closed).toContain('This account is closed.');
    expect(closed).not.toContain('takes no new payments');
    const test = textOf(rendered(page, 'owner', { isClosed: false, pause: 'operator' }, 'test'));
    expect(test).toContain('Test mode takes no new payments.');
  });
});

it('tells the zone of all times', () => {
  expect(textOf(rendered(<NotificationsPage mode="live" notifications={[]} />, 'owner'))).toMatch(
    /Times and days are those of \w+/,
  );
});

describe('the page of a person', () => {
  const shown = (changes: Partial<ListedUser>, role: UserRole = 'owner', isSelf = false) =>
    rendered(<PersonPage view={{ person: { ...ada, ...changes }, isSelf, mail: null }} />, role);

  it.each<[ListedUser['status'], readonly string[]]>([
    ['active', ['role', 'disable']],
    ['invited', ['invite', 'withdraw']],
    ['withdrawn', ['invite']],
    ['disabled', ['enable']],
  ])('offers for somebody who is %s: %j', (status, actions) => {
    const offered = actionsOf(shown({ status })).filter(path => path?.startsWith('settings/users/usr_1/'));
    expect(offered).toEqual(actions.map(action => `settings/users/usr_1/${action}`));
  });

  it('offers nothing to others, escapes names, and warns people of themselves', () => {
    expect(shown({}, 'support')).not.toContain('settings/users/usr_1/');
    expect(shown({})).toContain('Ada &lt;b>');
    expect(textOf(shown({}))).toContain('Authenticator, 2 passkeys');
    expect(shown({ passkey_count: 0, totp_enrolled_at: null })).toContain('None yet');
    expect(shown({}, 'owner', true)).toContain('This is you.');
  });

  it('shows an invitation’s mail where one is given', () => {
    const mail = { to: ada.email, subject: 'Invitation', text: 'Join: https://a.example/x?token=1 <b>' };
    const html = rendered(<PersonPage view={{ person: { ...ada, status: 'invited' }, isSelf: false, mail }} />);
    expect(html).toContain('<a href="https://a.example/x?token=1">');
    expect(html).toContain('&lt;b>');
  });
});

describe('the page of verification', () => {
  const kybCase: ShownKybCase = {
    ...{ id: 'kyb_1', merchant_id: 'mch_1', status: 'open', business: null, owners: [], documents: [] },
    ...{ submitted_at: null, note: null, decided_at: null, created: AT },
  };
  const document = {
    id: 'kdoc_1',
    kind: 'identity',
    name: '<i>.pdf',
    type: 'image/png',
    size: 2_048,
    sha256: '',
  } as const;
  const filled: ShownKybCase = {
    ...kybCase,
    business: { legal_name: 'Tea <b>', country: 'FR', registration_number: '1', address: 'A\nB', website: null },
    owners: [{ name: 'Ada', country: 'GB', share_bps: 3_333 }],
    documents: [document],
    submitted_at: AT,
  };
  const shown = (view: Partial<KybStanding>) =>
    rendered(<VerificationPage view={{ current: null, rejected: null, ...view }} />);

  it.each<[string, Partial<KybStanding>, string, readonly string[]]>([
    ['no case', {}, 'This account needs no verification', []],
    ['an empty case', { current: kybCase }, 'There are no documents yet.', ['documents', 'submit']],
    [
      'a case with a document',
      { current: { ...kybCase, documents: [document] } },
      'One document goes along.',
      ['documents/kdoc_1/remove', 'documents', 'submit'],
    ],
    ['a submitted case', { current: { ...filled, status: 'submitted' } }, 'reviews your case', []],
    ['an approved case', { current: { ...filled, status: 'approved', note: 'Fine.' } }, 'is verified', []],
    ['a rejected case', { rejected: { ...filled, status: 'rejected', note: 'Old.' } }, 'was rejected. Old.', ['open']],
    [
      'a case after a rejected one',
      { current: kybCase, rejected: { ...filled, status: 'rejected', note: 'Old.' } },
      'was rejected. Old.',
      ['documents', 'submit'],
    ],
  ])('shows %s', (_, view, words, actions) => {
    const html = shown(view);
    expect(textOf(html)).toContain(words);
    const offered = actionsOf(html).filter(path => path?.startsWith('verification/'));
    expect(offered).toEqual(actions.map(action => `verification/${action}`));
  });

  it('asks before a document is removed', () => {
    const html = shown({ current: { ...kybCase, documents: [document] } });
    expect(html).toMatch(/<details class="confirm[^>]*>(?:(?!<\/details>).)*documents\/kdoc_1\/remove/s);
  });

  it('shows a case in words, and escapes them', () => {
    const html = shown({ current: { ...filled, status: 'submitted' } });
    for (const text of ['Tea &lt;b>', 'France', '33.33%', 'Identity of an owner', 'PNG', '2 kB', '&lt;i>.pdf'])
      expect(html).toContain(text);
  });

  it('takes no more than twenty documents', () => {
    const documents = Array.from({ length: 20 }, (_, index) => ({ ...document, id: `kdoc_${index}` }));
    expect(actionsOf(shown({ current: { ...kybCase, documents } }))).not.toContain('verification/documents');
  });
});

describe('the pages of settings', () => {
  const settings: SettingsView['settings'] = {
    ...{
      payment_tolerance_bps: 5,
      enabled_tokens: ['usdc-base'],
      default_success_url: null,
      api_version: '2026-11-15',
    },
    ...{ brand: { name: null, color: null, logo_url: null }, checkout_restart: false, invoice_prefix: '' },
    ...{ reminders: [-3, 7], time_zone: 'UTC', customer_language: 'en' },
  };
  const other = { mode: 'test', settings: { ...settings, payment_tolerance_bps: 100 } } as const;
  const shown = (view: Partial<SettingsView>, role: UserRole = 'owner') =>
    rendered(<SettingsPage view={{ mode: 'live', settings, other, ...view }} />, role);

  it('show what a copy of the other mode would change', () => {
    expect(shown({})).toMatch(/<dt>Tolerance<\/dt><dd><del>0.05%<\/del> <ins>1%<\/ins>/);
    expect(shown({ other: { mode: 'test', settings } })).not.toContain('settings/copy');
    expect(shown({ other: null })).not.toContain('Settings of');
  });

  it('are words alone for those who may not change them', () => {
    const html = shown({}, 'developer');
    expect(actionsOf(html)).toEqual([]);
    expect(textOf(html)).toContain('Reminders -3, 7 days after the due date');
  });

  it('tell the state of the account, and offer to close it to owners while it is open', () => {
    const account = { merchant_id: 'mch_1', name: 'Shop', email: 'a@b.example', closed_reason: null, created: AT };
    const page = (status: 'active' | 'closed', role: UserRole = 'owner') =>
      rendered(
        <AccountPage account={{ ...account, status, closed_reason: status === 'closed' ? 'Done.' : null }} />,
        role,
      );
    expect(actionsOf(page('active'))).toContain('settings/account/close');
    expect(actionsOf(page('active', 'finance'))).toEqual([]);
    expect(actionsOf(page('closed'))).toEqual([]);
    expect(textOf(page('closed'))).toContain('Closed because Done.');
  });
});

describe('the form of a case', () => {
  it('leaves empty rows out, and names the typed row of a fault', () => {
    const form = {
      ...{ 'owners[1][name]': 'Ada', 'owners[1][country]': 'GB', 'owners[1][share_bps]': '60' },
      ...{ 'owners[4][name]': '', 'owners[4][country]': 'FR', 'owners[4][share_bps]': '12,5' },
      ...{ 'owners[5][country]': 'FR' },
    };
    const { owners, fieldOf } = caseIn(form);
    expect(owners).toEqual([
      { name: 'Ada', country: 'GB', share_bps: 6_000 },
      { name: '', country: 'FR', share_bps: 1_250 },
    ]);
    expect(['owners[1][name]', 'owners', 'business[country]'].map(fieldOf)).toEqual([
      'owners[4][name]',
      'owners',
      'business[country]',
    ]);
  });
});

test.each([
  ['0.5', 50],
  ['100', 10_000],
  [' 12,25 % ', 1_225],
  ['0', 0],
  ['.5', null],
  ['1.234', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('the percentage %j is %s basis points', (text, bps) => {
  expect(bpsOfPercent(text)).toBe(bps);
  if (bps !== null) expect(bpsOfPercent(percentOfBps(bps))).toBe(bps);
});

test.each([
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1 kB'],
  [1_048_575, '1024 kB'],
  [1_048_576, '1.0 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});

test('countries have names', () => {
  expect(['FR', 'GB', 'XX'].map(countryName)).toEqual(['France', 'United Kingdom', 'XX']);
});
