import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { InviteAdmin } from '../../../src/modules/admins/commands/manage-admins.command';
import { merchantsReadModel } from '../../../src/modules/merchants/merchants.read-model';
import { OutboxReader } from '../../../src/modules/outbox/queries/outbox-reader';
import { GROUP_NAMES } from '../../../src/modules/system/group-names';
import { ensureGroups } from '../../../src/processes/groups';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { audited, everyEvent } from '../../support/audited';
import { eventually } from '../../contracts/contract-support';
import { tellEvents } from '../../support/tell-events';
import { ConsoleCaller, PASSWORD } from '../admins/console-caller';
import { parkAll } from './parked-messages';

type Row = Readonly<Record<string, unknown>>;

let stage: ApiStage;
let instance: ApiInstance;
let olga: ConsoleCaller;
let vera: ConsoleCaller;
let merchant: string;
let payment: string;

async function signedIn(email: string, role: string): Promise<ConsoleCaller> {
  const browser = new ConsoleCaller(stage, instance);
  await browser.run(new InviteAdmin(email, role, browser.context()));
  const mail = await (await OutboxReader.open(stage.core.documents)).newestLinkTo(email);
  const token = /token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await browser.post('invitations/accept', { token, name: 'Bo Lind', password: PASSWORD });
  await browser.enrol(email);
  return browser;
}

async function rows(path: string, browser = vera): Promise<readonly Row[]> {
  const { body } = await browser.get(path);
  expect(body).toMatchObject({ object: 'list', has_more: false });
  return body.data as readonly Row[];
}

const risky = (browser: ConsoleCaller, path: string, body: Row) =>
  browser.post(path, body, { 'mfa-code': browser.code() });

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  const shop = await stage.register(instance, { isChecked: false });
  merchant = shop.id;
  await ensureGroups(stage.core.store);
  payment = String(
    (await shop.call('POST /v1/payment_intents', { body: { amount: '1250', currency: 'EUR' } })).body.id,
  );
  olga = await signedIn('olga@example.com', 'operations');
  vera = await signedIn('vera@example.com', 'viewer');
  await stage.project();
});
afterAll(() => stage.close());

describe('the system’s state', () => {
  it('tells the checks of readiness, with the reason', async () => {
    const checks = await rows('system/health');
    expect(checks.map(({ check }) => check)).toEqual(['event_store', 'document_store', 'projections', 'coverage']);
    expect(checks[0]).toEqual({ check: 'event_store', state: 'ok', reason: null, alarms: [] });
  });

  it('tells how far each network is read in each mode, and the history of one', async () => {
    const networks = await rows('system/coverage');
    expect(networks).toHaveLength(6);
    expect(networks.find(({ mode, network }) => mode === 'test' && network === 'base')).toMatchObject({
      coverage: { instance: 'scripted', lag_blocks: 0, holes: [], deferred: [] },
    });
    expect(networks.find(({ mode }) => mode === 'live')).toMatchObject({ coverage: null, alarm: null, providers: [] });
    const { body } = await vera.get('system/coverage/test/base');
    expect(body).toMatchObject({ object: 'coverage', ranges: 0, gaps: [{ kind: 'unscanned' }] });
    expect((await vera.get('system/coverage/live/base')).code).toBe('resource_missing');
    expect((await vera.get('system/coverage/test/moon')).code).toBe('resource_missing');
  });

  it('tells the lag of each read model and group as a time', async () => {
    const models = await rows('system/projections');
    expect(models.find(({ read_model: name }) => name === 'merchants')).toMatchObject({
      ...{ state: 'following', is_at_fault: false, lag_ms: 0, rebuild: null },
    });
    const groups = await rows('system/groups');
    expect(groups.map(({ group }) => group)).toEqual([...GROUP_NAMES]);
    expect(Number(groups.find(({ group }) => group === 'audit')?.lag_ms)).toBeGreaterThan(0);
  });

  it('counts mail without naming anybody', async () => {
    const outboxes = await rows('system/outbox');
    expect(outboxes.map(({ outbox, given_up: givenUp }) => [outbox, givenUp])).toEqual([
      ['notices', 0],
      ['customers', 0],
    ]);
    expect(Number(outboxes[0]?.queued)).toBeGreaterThan(0);
    expect(JSON.stringify(outboxes)).not.toContain('@');
  });

  it('names the limits, the headroom and the sources of rates', async () => {
    const limits = await rows('system/limits');
    expect(limits).toContainEqual({
      limit: 'requests.account_write',
      value: 400,
      unit: 'a second',
      set_by: 'configuration',
    });
    expect((await vera.get('system/headroom?mode=moon')).code).toBe('invalid_mode');
    const rates = await rows('system/rates');
    expect(rates.length).toBeGreaterThan(0);
    expect(rates[0]).toMatchObject({ mode: 'test', is_fresh: true, failure: null, missing_pairs: [] });
  });

  it('tells the price with the fewest free amounts, by address and token', async () => {
    expect(await rows('system/headroom?mode=test')).toEqual([]);
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const reserved = {
      ...{ payment_intent: payment, merchant_id: merchant, wallet_id: 'wal_1', purpose: 'quote' },
      ...{ amount_base_units: '10000010', price_base_units: '10000000' },
      ...{ reserved_at: '2026-11-01T00:00:00.000Z', reserved_until: '2026-11-02T00:00:00.000Z' },
    };
    const stream = `test.amount_slot-base:${address}:usdc-base:1000001`;
    const event = { type: 'AmountReserved', data: reserved };
    await tellEvents(stage.core.store, stream, [event], { merchant, atMs: stage.clock.now() });
    await stage.project();
    expect(await rows('system/headroom?mode=test')).toEqual([
      { mode: 'test', network: 'base', address, token_id: 'usdc-base', price: '10.000006', free: 998, of: 999 },
    ]);
    expect(await rows('system/headroom')).toEqual([]);
  });

  it('is for administrators alone', async () => {
    const stranger = new ConsoleCaller(stage, instance);
    for (const name of [
      'health',
      'coverage',
      'projections',
      'groups',
      'groups/audit/parked',
      'outbox',
      'limits',
      'headroom',
      'rates',
    ])
      expect((await stranger.get(`system/${name}`)).code).toBe('admin_session_required');
    expect((await vera.get('system/health?colour=red')).code).toBe('invalid_filter');
  });
});

describe('parked messages', () => {
  it('are shown, and replayed by operations with a fresh code, which the audit log tells', async () => {
    await parkAll(stage, 'webhooks');
    const parked = await rows('system/groups/webhooks/parked');
    expect(parked).toMatchObject([
      { stream: `test.payment_intent-${payment}`, revision: 0, type: 'PaymentIntentCreated' },
    ]);
    expect((await vera.get('system/groups/nobody/parked')).code).toBe('resource_missing');

    const [path, body] = ['system/groups/webhooks/replay', { reason: 'Mended.' }] as const;
    expect((await vera.post(path, body)).code).toBe('permission_denied');
    expect((await olga.post(path, body)).code).toBe('mfa_required');
    expect((await risky(olga, path, body)).body).toMatchObject({ object: 'admin_action', target: 'webhooks' });
    expect(await rows('system/groups/webhooks/parked')).toEqual([]);
    expect((await risky(olga, path, body)).code).toBe('invalid_state_transition');
    expect((await risky(olga, 'system/groups/nobody/replay', body)).code).toBe('resource_missing');

    await audited(instance.parts.audit, await everyEvent(stage.core.store));
    const owner = await signedIn('ona@example.com', 'owner');
    const [entry] = await rows('audit_entries?action=group.replay', owner);
    expect(entry).toMatchObject({
      actor: { id: adminIdOfEmail('olga@example.com'), role: 'admin' },
      target: { type: 'system', id: 'webhooks' },
      after: { group: 'webhooks', messages: 1, reason: 'Mended.' },
    });
  });
});

describe('a rebuild', () => {
  it('is begun by operations with a fresh code, and ends with the same documents', async () => {
    const path = 'system/projections/merchants/rebuild';
    const before = await stage.core.readModels.get(merchantsReadModel, 'platform', merchant);
    expect((await risky(olga, path, { reason: 'A doubt.' })).status).toBe(200);
    await eventually(async () => {
      const models = await rows('system/projections');
      return models.find(({ read_model: name }) => name === 'merchants')?.rebuild === null;
    });
    const after = await stage.core.readModels.get(merchantsReadModel, 'platform', merchant);
    expect(after).toEqual(before);
    expect((await risky(olga, 'system/projections/nothing/rebuild', { reason: 'A doubt.' })).code).toBe(
      'resource_missing',
    );
  });
});

describe('the event browser', () => {
  it('shows a payment as of its first event, with reasons and differences', async () => {
    const { body } = await vera.get(`streams/test.payment_intent-${payment}?revision=0`);
    expect(body).toMatchObject({
      ...{ object: 'stream', category: 'payment_intent', revisions: 1, chain: { is_intact: true, broken_at: null } },
      state: { status: 'created' },
      events: [{ type: 'PaymentIntentCreated', reason: 'A payment of 12.50 EUR was asked for.', ip: null }],
    });
    const [event] = body.events as readonly { readonly changes: readonly Row[] }[];
    expect(event?.changes).toContainEqual({ field: 'status', before: null, after: 'created' });
  });

  it.each([
    ['resource_missing', 'test.payment_intent-pi_none'],
    ['resource_missing', 'nonsense'],
  ])('answers %s to %s', async (code, stream) => {
    expect((await vera.get(`streams/${stream}`)).code).toBe(code);
  });

  it.each([
    ['parameter_invalid', 'revision=7'],
    ['parameter_invalid', 'revision=x'],
    ['parameter_invalid', 'revision=0&as_of=2026-11-01T00:00:00Z'],
    ['invalid_timestamp', 'as_of=yesterday'],
    ['invalid_filter', 'colour=red'],
  ])('answers %s to %s', async (code, query) => {
    expect((await vera.get(`streams/test.payment_intent-${payment}?${query}`)).code).toBe(code);
  });

  it('shows streams above the modes, and network addresses, to readers of the audit log alone', async () => {
    const stream = `platform.admin-${adminIdOfEmail('olga@example.com')}`;
    expect((await vera.get(`streams/${stream}`)).code).toBe('permission_denied');
    const cora = await signedIn('cora@example.com', 'compliance');
    const { body } = await cora.get(`streams/${stream}`);
    expect(body).toMatchObject({ state: { email: 'olga@example.com', role: 'operations' } });
    expect(JSON.stringify(body)).not.toMatch(/password_hash|totp_secret_sealed/);
  });
});
