import type { Reply } from '../../support/http-caller';
import type { PersonBrowser } from '../dashboard-stage';
import { DashboardStage } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const SETTINGS = '/dashboard/test/settings';
const LIVE_SETTINGS = '/dashboard/live/settings';
const POLICY = `${SETTINGS}/session-policy`;
const TOKENS = { 'usdt-tron': 'on', 'usdt-bnb': 'on', 'usdc-base': 'on' };
const ENGLISH = { customer_language: 'en' };
const PAYMENTS = { payment_tolerance_bps: '0', default_success_url: '', ...TOKENS };

let dashboard: DashboardStage;
let owner: PersonBrowser;
let viewer: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  owner = dashboard.owner;
  viewer = await dashboard.invited('viewer');
}, LIMIT_MS);
afterAll(() => dashboard.close());

const send = (path: string, fields: object, page = SETTINGS, person = owner) =>
  person.sendForm(page, `${page}${path}`, fields);
const settings = (mode: 'test' | 'live' = 'test') =>
  dashboard.merchant.done('GET /v1/settings', { key: dashboard.merchant.registered.keys[mode] });
const code = () => owner.merchant.nextCode();
const outcome = ({ status, body, headers }: Reply) => ({
  status,
  location: headers.location,
  faults: [...body.matchAll(/<p class="fault"[^>]*>([^<]*)/g)].map(([, text]) => text),
});

describe('settings', () => {
  it('are changed in the page’s mode, by the person', async () => {
    const answers = [
      await send('/payments', {
        ...{ payment_tolerance_bps: '0,5', default_success_url: 'https://shop.example/thanks', checkout_restart: 'on' },
        'usdc-base': 'on',
      }),
      await send('/brand', { 'brand.name': ' Corner ', 'brand.color': '#1F6FEB', 'brand.logo_url': '' }),
      await send('/invoices', { invoice_prefix: 'CS-', reminders: '7, -3 7', customer_language: 'de' }),
      await send('/general', { time_zone: 'europe/paris', api_version: '2026-11-01' }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
      answers.map(() => [303, SETTINGS]),
    );
    expect(await settings()).toEqual({
      object: 'settings',
      payment_tolerance_bps: 50,
      enabled_tokens: ['usdc-base'],
      brand: { name: 'Corner', color: '#1f6feb', logo_url: null },
      default_success_url: 'https://shop.example/thanks',
      api_version: '2026-11-01',
      checkout_restart: true,
      invoice_prefix: 'CS-',
      reminders: [-3, 7],
      customer_language: 'de',
      time_zone: 'Europe/Paris',
    });
    expect(await settings('live')).toMatchObject({ payment_tolerance_bps: 0, invoice_prefix: 'INV-' });
    const events = await dashboard.stage.core.store.readStream(`test.merchant_settings-${dashboard.merchant.id}`);
    expect(events.at(-1)?.metadata.actor).toMatchObject({ role: 'merchant', type: 'user' });
  });

  it('are copied from the other mode, which is shown before', async () => {
    const { body } = await owner.open(LIVE_SETTINGS);
    expect(body).toContain('Copy from test mode to live mode');
    expect(body).toContain('<ins>Corner</ins>');
    const answer = await send('/copy', {}, LIVE_SETTINGS);
    expect([answer.status, answer.headers.location]).toEqual([303, LIVE_SETTINGS]);
    expect(await settings('live')).toEqual(await settings());
    expect((await owner.open(LIVE_SETTINGS)).body).toContain('Both modes have the same settings.');
  });

  it.each([
    ['payments', { ...PAYMENTS, payment_tolerance_bps: 'much' }, 'Write a percentage'],
    ['payments', { ...PAYMENTS, payment_tolerance_bps: '1.01' }, ''],
    ['payments', { ...PAYMENTS, default_success_url: 'javascript:alert(1)' }, 'This is not an address'],
    ['payments', { payment_tolerance_bps: '0', default_success_url: '' }, 'At least one token'],
    ['brand', { 'brand.name': 'A', 'brand.color': 'red', 'brand.logo_url': '' }, 'Write a color'],
    ['brand', { 'brand.name': 'A', 'brand.color': '', 'brand.logo_url': 'http://a.example/l.png' }, 'This is not an'],
    ['invoices', { invoice_prefix: 'INVOICES#', reminders: '', ...ENGLISH }, 'A prefix has'],
    ['invoices', { invoice_prefix: '', reminders: '', customer_language: 'it' }, 'Customers get mail in'],
    ['invoices', { invoice_prefix: '', reminders: 'soon', ...ENGLISH }, 'Write whole days'],
    ['invoices', { invoice_prefix: '', reminders: '1, 61', ...ENGLISH }, ''],
    ['invoices', { invoice_prefix: '', reminders: '1 2 3 4 5 6', ...ENGLISH }, 'There are at most 5'],
    ['general', { time_zone: 'Mars', api_version: '2026-11-15' }, 'There is no such zone'],
    ['general', { time_zone: 'UTC', api_version: '2020-01-01' }, 'There is no such version'],
  ])('are refused at their field, and keep what was typed: %s %o', async (form, fields, fault) => {
    const before = await settings();
    const answer = await send(`/${form}`, fields);
    expect(answer.status).toBe(400);
    expect(outcome(answer).faults).toEqual([expect.stringContaining(fault)]);
    // A list to choose from shows no value that it does not have.
    for (const typed of Object.values(fields).filter(text => !['', 'on', '2020-01-01', 'it', 'en'].includes(text)))
      expect(answer.body).toContain(typed);
    expect(await settings()).toEqual(before);
  });

  it('take no field that the form does not have', async () => {
    expect(
      (await send('/brand', { 'brand.name': 'A', 'brand.color': '', 'brand.logo_url': '', more: '1' })).status,
    ).toBe(400);
  });
});

describe('notifications', () => {
  const PAGE = `${SETTINGS}/notifications`;

  it('are muted in the page’s mode alone', async () => {
    const ticked = async (mode: string) =>
      [
        ...(await owner.open(`/dashboard/${mode}/settings/notifications`)).body.matchAll(/name="(\w+)" [^>]*checked/g),
      ].map(([, name]) => name);
    expect(await ticked('test')).toHaveLength(3);
    const answer = await send('', { payment_inferred: 'on' }, PAGE);
    expect([answer.status, answer.headers.location]).toEqual([303, PAGE]);
    expect(await ticked('test')).toEqual(['payment_inferred']);
    expect(await ticked('live')).toHaveLength(3);
  });

  it('take no mail that cannot be left out', async () => {
    expect((await send('', { key_minted: 'on' }, PAGE)).status).toBe(400);
  });
});

describe('the limits of sessions', () => {
  const WANTED = { idle_minutes: '20', absolute_minutes: '600' };

  it('are set with a code', async () => {
    const refused = await send('', { ...WANTED, code: '000000' }, POLICY);
    expect(refused.status).toBe(401);
    expect(refused.body).toContain('value="20"');
    const answer = await send('', { ...WANTED, code: code() }, POLICY);
    expect([answer.status, answer.headers.location]).toEqual([303, POLICY]);
    expect((await owner.open(POLICY)).body).toMatch(/value="20"[^]*value="600"/);
  });

  it.each([
    [{ idle_minutes: '31', absolute_minutes: '600' }],
    [{ idle_minutes: '10', absolute_minutes: '721' }],
    [{ idle_minutes: '10', absolute_minutes: '9' }],
    [{ idle_minutes: 'ten', absolute_minutes: '600' }],
  ])('are refused at the field: %o', async fields => {
    const answer = await send('', { ...fields, code: code() }, POLICY);
    expect([answer.status, outcome(answer).faults.length]).toEqual([400, 1]);
  });

  it('pin sessions to their address', async () => {
    expect((await send('', { ...WANTED, pin_ip: 'on', code: code() }, POLICY)).status).toBe(303);
    expect((await owner.open(POLICY)).body).toMatch(/name="pin_ip" [^>]*checked/);
  });
});

describe('a viewer', () => {
  it('reads the settings, without forms', async () => {
    const { status, body } = await viewer.open(SETTINGS);
    expect(status).toBe(200);
    expect(body).toContain('CS-');
    expect(body).not.toMatch(/action="[^"]*settings\//);
    expect((await viewer.open(`${SETTINGS}/notifications`)).body).not.toMatch(/action="[^"]*settings\//);
    expect((await viewer.open(`${SETTINGS}/account`)).body).not.toContain('Close the account');
    expect((await viewer.open(POLICY)).status).toBe(403);
  });

  it.each([
    ['payments', PAYMENTS],
    ['brand', { 'brand.name': '', 'brand.color': '', 'brand.logo_url': '' }],
    ['invoices', { invoice_prefix: '', reminders: '', ...ENGLISH }],
    ['general', { time_zone: 'UTC', api_version: '2026-11-15' }],
    ['copy', {}],
    ['notifications', {}],
    ['session-policy', { idle_minutes: '20', absolute_minutes: '600', code: '000000' }],
    ['account/close', { reason: 'mine', code: '000000' }],
  ])('sends none of their forms: %s', async (form, fields) => {
    const answer = await viewer.sendForm('/dashboard/test/security', `${SETTINGS}/${form}`, fields);
    expect(answer.status).toBe(403);
  });
});

describe('closing the account', () => {
  const ACCOUNT = `${SETTINGS}/account`;
  let closing: PersonBrowser;

  beforeAll(async () => {
    closing = await dashboard.stranger('closing');
  }, LIMIT_MS);

  it('takes a reason and a code', async () => {
    const close = (fields: object) => closing.sendForm(ACCOUNT, `${ACCOUNT}/close`, fields);
    const wrongCode = await close({ reason: 'No more shop', code: '000000' });
    expect([wrongCode.status, wrongCode.body.includes('No more shop')]).toEqual([401, true]);
    const noReason = await close({ reason: ' ', code: closing.merchant.nextCode() });
    expect(outcome(noReason)).toMatchObject({ status: 400, faults: [expect.stringContaining('A reason')] });
    const answer = await close({ reason: 'No more shop', code: closing.merchant.nextCode() });
    expect([answer.status, answer.headers.location]).toEqual([303, ACCOUNT]);
  });

  it('leaves the account to be read, and refuses whatever would change it', async () => {
    const { status, body } = await closing.open(ACCOUNT);
    expect(status).toBe(200);
    expect(body).toMatch(/This account is closed\.[^]*Closed because[^]*No more shop/);
    expect(body).not.toContain(`${ACCOUNT}/close`);
    const changed = await closing.sendForm('/dashboard/test/security', `${SETTINGS}/general`, {
      ...{ time_zone: 'UTC', api_version: '2026-11-15' },
    });
    expect(changed.status).toBe(403);
    expect(changed.body).toContain('This account is closed');
    expect((await closing.merchant.call('POST /v1/settings', { body: { invoice_prefix: 'A' } })).code).toBe(
      'merchant_closed',
    );
  });

  it('lets its people sign in, and out', async () => {
    const again = closing.another();
    expect((await again.signIn()).headers.location).toBe('/dashboard');
    expect((await again.sendForm('/dashboard/test', '/dashboard/sign-out')).status).toBe(303);
  });
});
