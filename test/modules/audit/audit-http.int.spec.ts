import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { InviteAdmin } from '../../../src/modules/admins/commands/manage-admins.command';
import { OutboxReader } from '../../../src/modules/outbox/queries/outbox-reader';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { audited, everyEvent } from '../../support/audited';
import { ConsoleCaller, PASSWORD } from '../admins/console-caller';

type Row = {
  readonly id: string;
  readonly action: string;
  readonly occurred_at: string;
  readonly mode: string;
  readonly actor: { readonly id: string; readonly type: string };
  readonly target: { readonly type: string; readonly id: string };
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly merchant_id: string | null;
};
type Page = { readonly data: readonly Row[]; readonly has_more: boolean };

let stage: ApiStage;
let instance: ApiInstance;
let cora: ConsoleCaller;
let vera: ConsoleCaller;
let merchant: string;
const CORA = adminIdOfEmail('cora@example.com');

async function signedIn(email: string, role: string): Promise<ConsoleCaller> {
  const browser = new ConsoleCaller(stage, instance);
  await browser.run(new InviteAdmin(email, role, browser.context()));
  const mail = await (await OutboxReader.open(stage.core.documents)).newestLinkTo(email);
  const token = /token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await browser.post('invitations/accept', { token, name: 'Bo Lind', password: PASSWORD });
  await browser.enrol(email);
  return browser;
}

async function listed(query: string): Promise<Page> {
  const { body } = await cora.get(`audit_entries?${query}`);
  return body as unknown as Page;
}

const actions = ({ data }: Page): readonly string[] => data.map(({ action }) => action);

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = (await stage.register(instance, { isChecked: false })).id;
  cora = await signedIn('cora@example.com', 'compliance');
  vera = await signedIn('vera@example.com', 'viewer');
  await new ConsoleCaller(stage, instance).start('cora@example.com', 'a wrong password of some length');
  await cora.post('session/step-up', { code: cora.code() });
  const approval = { permission: 'merchant.suspend', target: merchant, body: { reason: 'Odd payments.' } };
  await cora.post('approvals', approval);
  await audited(instance.parts.audit, await everyEvent(stage.core.store));
});
afterAll(() => stage.close());

it('tells of sign-ins, refused ones, fresh codes, approvals, and the command line', async () => {
  const own = await listed(`actor=${CORA}&limit=100`);
  expect(actions(own)).toEqual(
    expect.arrayContaining([
      'admin_session.start',
      'admin_session.step_up',
      'approval.propose',
      'admin.enrol_authenticator',
    ]),
  );
  const proposal = own.data.find(({ action }) => action === 'approval.propose');
  expect(proposal).toMatchObject({
    object: 'audit_entry',
    actor: { type: 'admin', id: CORA, role: 'admin' },
    target: { type: 'approval' },
    mode: 'platform',
    before: null,
    after: { permission: 'merchant.suspend', target: merchant, status: 'pending' },
    ip: expect.any(String) as string,
    request_id: expect.stringMatching(/^req_/) as string,
  });
  const refused = await listed('action=sign_in.refuse');
  expect(refused.data).toMatchObject([{ target: { id: CORA }, after: { reason: 'password' } }]);
  const invited = await listed(`action=admin.invite&target=${CORA}`);
  expect(invited.data).toMatchObject([{ actor: { type: 'system', id: 'cli:alice' } }]);
});

it('lists the newest first, page by page, by each filter and by several', async () => {
  const [first, all] = [await listed('limit=3'), await listed('limit=100')];
  expect(first.has_more).toBe(true);
  const second = await listed(`limit=3&starting_after=${first.data[2]?.id}`);
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.data.slice(0, 6).map(({ id }) => id));
  const times = all.data.map(({ occurred_at: at }) => at);
  expect(times).toEqual([...times].sort().reverse());

  const ofMerchant = all.data.filter(({ merchant_id: id }) => id === merchant);
  expect((await listed(`merchant=${merchant}&limit=100`)).data).toEqual(ofMerchant);
  const both = all.data.filter(({ actor, action }) => actor.id === CORA && action.startsWith('admin_session.start'));
  expect((await listed(`actor=${CORA}&action=admin_session.start&mode=platform`)).data).toEqual(both);
  expect((await listed(`actor=${CORA}&mode=live`)).data).toEqual([]);
  const [from, to] = [times[4], times[2]];
  const between = all.data.filter(({ occurred_at: at }) => at >= String(from) && at <= String(to));
  expect((await listed(`from=${from}&to=${to}&limit=100`)).data).toEqual(between);
});

it.each([
  ['invalid_filter', 'action=no.such'],
  ['invalid_filter', 'mode=staging'],
  ['invalid_filter', 'colour=red'],
  ['invalid_timestamp', 'from=yesterday'],
  ['invalid_range', 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z'],
  ['invalid_cursor', 'starting_after=nothing'],
])('answers %s to %s', async (code, query) => {
  expect((await cora.get(`audit_entries?${query}`)).code).toBe(code);
});

it('is read by compliance and owners alone', async () => {
  for (const path of ['audit_entries', 'exports/audit']) {
    expect((await vera.get(path)).code).toBe('permission_denied');
    expect((await new ConsoleCaller(stage, instance).get(path)).code).toBe('admin_session_required');
  }
});

it('is exported as a file in either format, by the filters of the list', async () => {
  const headers = { host: 'localhost', cookie: String(cora.cookie) };
  const file = (query: string) =>
    instance.caller.send({ method: 'GET', path: `/admin/exports/audit?${query}`, headers });
  const all = await listed('limit=100');
  const lines = (await file('format=jsonl')).body
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Row);
  expect(lines).toEqual(all.data);
  const own = (await file(`format=jsonl&actor=${CORA}&action=approval.propose`)).body.trim().split('\n');
  expect(own.map(line => (JSON.parse(line) as Row).action)).toEqual(['approval.propose']);
  expect((await cora.get('exports/audit?action=no.such')).code).toBe('invalid_filter');
  const csv = await file(`format=csv&to=${all.data[1]?.occurred_at}`);
  expect(String(csv.headers['content-disposition'])).toMatch(/filename="audit-platform-to-\d{4}-\d\d-\d\d\.csv"/);
  const [header, ...records] = csv.body.trim().split('\r\n');
  expect(header).toMatch(/^id,occurred_at,actor_type,actor_id,actor_role,action,/);
  expect(records).toHaveLength(all.data.filter(({ occurred_at: at }) => at <= String(all.data[1]?.occurred_at)).length);
});
