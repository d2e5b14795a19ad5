import { operatorContext } from '../../../src/cli/operator-context';
import { approvals } from '../../../src/modules/approvals/approval.decider';
import { approvalsReadModel } from '../../../src/modules/approvals/approvals.read-model';
import type { Reply } from '../../support/http-caller';
import { ConsoleStage, type AdminBrowser } from '../console-stage';
import { act, propose, stagedConsole, type StagedConsole } from './staged-console';

const LIMIT_MS = 60_000;
const SUSPEND = '/console/actions/suspend-merchant';

let stage: ConsoleStage;
let staged: StagedConsole;
let [owner, compliance, support]: readonly AdminBrowser[] = [];

beforeAll(async () => {
  stage = await ConsoleStage.open();
  staged = await stagedConsole(stage);
  owner = await stage.admin('owner');
  compliance = await stage.admin('compliance');
  support = await stage.admin('support');
}, LIMIT_MS);
afterAll(() => stage?.close());

const alertOf = ({ body }: Reply) => /role="alert">(?:<a[^>]*>)?([^<]*)/.exec(body)?.[1] ?? null;
const decide = (by: AdminBrowser | undefined, id: string, step: string, fields: object) => {
  const page = `/console/approvals/${id}`;
  return (by as AdminBrowser).sendForm(page, `${page}/${step}`, fields);
};
const suspend = () => ({ target: staged.merchant.id, reason: 'Complaints.' });

it('says what will happen, to whom, who approves, what cannot be undone, and the exact body', async () => {
  const { status, body } = await (owner as AdminBrowser).sendForm(SUSPEND, `${SUSPEND}/preview`, suspend());
  expect(status).toBe(200);
  for (const text of [
    'Stops the keys and the sessions of the merchant from the next request on.',
    `Merchant ${staged.merchant.id}: Corner Shop.`,
    'Another administrator of the role compliance or owner has to approve, within 24 hours.',
    'Requests that are refused meanwhile are lost to the merchant.',
    '&quot;reason&quot;: &quot;Complaints.&quot;',
    'Propose this',
  ])
    expect(body).toContain(text);
});

it.each([
  [{ target: 'mch_none', reason: 'Why.' }, 404],
  [{ reason: ' ' }, 400],
])('shows the form again with the reason of a refusal: %j', async (fields, status) => {
  const sent = { ...suspend(), ...fields };
  const answer = await (owner as AdminBrowser).sendForm(SUSPEND, `${SUSPEND}/preview`, sent);
  expect([answer.status, alertOf(answer)]).toEqual([status, expect.any(String)]);
  expect(answer.body).toContain('Nothing happens before that.');
  expect(answer.body).toContain(`value="${sent.target}"`);
});

it('does at once what one administrator may do alone, and shows it', async () => {
  const fields = { scope: 'asset', subject: 'USDT', mode: 'live', reason: 'The issuer has stopped.' };
  expect(await act(owner as AdminBrowser, 'set-kill-switch', fields)).toBe('/console/switches');
  await stage.stage.project();
  const { body } = await (owner as AdminBrowser).open('/console/switches?scope=asset');
  expect(body).toContain('The issuer has stopped.');
  const lift = { target: 'asset:USDT', mode: 'live', reason: 'It goes on.' };
  await act(owner as AdminBrowser, 'lift-kill-switch', lift);
  await stage.stage.project();
  expect((await (owner as AdminBrowser).open('/console/switches?scope=asset')).body).not.toContain('The issuer');
});

it('asks for a code where money is asked for', async () => {
  const page = '/console/actions/pay-fee-invoice';
  const fields = { target: staged.feeInvoice, reference: 'bank 12' };
  const finance = await stage.admin('finance');
  expect((await finance.sendForm(page, page, { ...fields, code: '' })).status).toBe(401);
  const paid = await finance.sendForm(page, page, { ...fields, code: finance.code() });
  expect(paid.headers.location).toBe('/console/fees');
});

it('lets nobody approve an own proposal, and nobody decide whose role proposes only', async () => {
  const own = await decide(owner, staged.approval, 'approve', { note: 'Mine.', code: (owner as AdminBrowser).code() });
  expect(own.status).toBe(403);
  const page = (by: AdminBrowser | undefined) => (by as AdminBrowser).open(`/console/approvals/${staged.approval}`);
  expect((await page(owner)).body).toMatch(/Withdraw(?!.*id="approve")/s);
  expect((await page(compliance)).body).toContain('id="approve"');
  expect((await page(compliance)).body).toContain('owner Lind (owner@operator.example)');
  expect((await page(support)).body).toContain('Your role does not decide this.');
  const byRole = await decide(support, staged.approval, 'deny', { note: 'No.' });
  expect(byRole.status).toBe(403);
});

it('names the administrator whom a proposal concerns, also once it is decided', async () => {
  const { id: target } = support as AdminBrowser;
  const id = await propose(owner as AdminBrowser, 'change-admin', {
    target,
    role: '',
    status: '',
    authenticator: 'reset',
    reason: 'Lost.',
  });
  await decide(owner, id, 'withdraw', { note: 'It was found.' });
  for (const path of ['', `/${id}`])
    expect((await (owner as AdminBrowser).open(`/console/approvals${path}`)).body).toContain(
      'support@operator.example',
    );
});

it('denies and withdraws, after which nothing can be carried out', async () => {
  const [first, second] = [
    await propose(support as AdminBrowser, 'suspend-merchant', suspend()),
    await propose(support as AdminBrowser, 'suspend-merchant', suspend()),
  ];
  expect((await decide(compliance, first, 'deny', { note: 'No.' })).headers.location).toBe(
    `/console/approvals/${first}`,
  );
  const nothing = await decide(support, second, 'withdraw', { note: '' });
  expect([nothing.status, alertOf(nothing)]).toEqual([400, 'A note has 1 to 500 characters.']);
  await decide(support, second, 'withdraw', { note: 'A mistake.' });
  for (const [id, status] of [
    [first, 'Denied'],
    [second, 'Withdrawn'],
  ] as const) {
    const { body } = await (owner as AdminBrowser).open(`/console/approvals/${id}`);
    expect(body).toContain(status);
    expect(body).not.toContain('id="carry-out"');
  }
});

it('lets the two go on with an execution that a process has left behind', async () => {
  const id = await propose(owner as AdminBrowser, 'suspend-merchant', suspend());
  await decide(compliance, id, 'approve', { note: 'Seen.', code: (compliance as AdminBrowser).code() });
  const { core } = stage.stage;
  const found = await core.readModels.get(approvalsReadModel, 'platform', id);
  const { permission, target, body, proposed_by: proposer } = found!.body;
  const begin = {
    type: 'begin',
    action: { permission, target, body },
    admin: { id: proposer, role: 'owner' },
    approverMay: true,
  } as const;
  await core.writes.execute(approvals, id, begin, operatorContext({ ...core, user: 'alice' }));
  const page = async (admin: AdminBrowser | undefined) => (await admin?.open(`/console/approvals/${id}`))?.body;
  for (const admin of [owner, compliance]) expect(await page(admin)).toMatch(/id="carry-out".*two minutes later/s);
  expect(await page(support)).toContain('has begun to carry this out.');
  const early = await decide(compliance, id, 'carry-out', { code: (compliance as AdminBrowser).code() });
  expect([early.status, alertOf(early)]).toEqual([403, 'This approval is being carried out just now.']);
});

it('carries out once what another administrator has approved', async () => {
  const code = () => (compliance as AdminBrowser).code();
  await decide(compliance, staged.approval, 'approve', { note: 'Seen.', code: code() });
  const done = await decide(compliance, staged.approval, 'carry-out', { code: code() });
  expect(done.headers.location).toBe(`/console/approvals/${staged.approval}`);
  expect((await (owner as AdminBrowser).open(`/console/merchants/${staged.merchant.id}`)).body).toContain('Disabled');
  expect((await decide(compliance, staged.approval, 'carry-out', { code: code() })).status).toBe(409);
  // As things stand, a second suspension would be refused.
  const late = await (owner as AdminBrowser).sendForm(SUSPEND, `${SUSPEND}/preview`, suspend());
  expect([late.status, alertOf(late)]).toEqual([409, 'The account is disabled.']);
});

it('tells of waiting objects on the first page, and filters lists', async () => {
  const { body } = await (support as AdminBrowser).open('/console');
  expect(body).toMatch(/Held payments.*Payments to review.*Unmatched transfers/s);
  const list = (path: string) => (support as AdminBrowser).open(`/console/${path}`);
  expect((await list(`holds?merchant=${staged.merchant.id}&status=open`)).body).toContain(`holds/${staged.hold}`);
  expect((await list('holds?status=released')).body).toContain('Nothing passes these filters');
  expect((await list('holds?status=lost')).body).toContain('Choose one of those that the page offers.');
  expect((await list('holds/hold_none')).status).toBe(404);
  expect((await list(`kyb/${staged.kybCase}`)).body).toContain('Corner Shop Ltd');
});
