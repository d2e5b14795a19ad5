import { openToolbox } from '../../src/cli/toolbox';
import { OUTBOX_COLLECTION, type OutboxDocument } from '../../src/modules/outbox/outbox';
import { CliSession } from './cli-support';

const OWNER = 'owner@pay.example';
const REVIEW = 'review@pay.example';

const cli = new CliSession();
let owner: string;

beforeAll(async () => {
  const created = await cli.json<{ readonly admin_id: string }>(
    ...['admin', 'create', '--email', OWNER, '--password', 'violet harbour 42', '--new-data'],
  );
  owner = created.admin_id;
});
afterAll(() => cli.end());

it('mails an invitation, with a link to the console', async () => {
  const { out } = await cli.run(['admin', 'invite', '--email', REVIEW, '--role', 'compliance']);
  expect(out).toContain('as compliance');
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const outbox = await toolbox.documents.open<OutboxDocument>(OUTBOX_COLLECTION);
  const [mail] = await outbox.list({ index: 'by_due', equals: { status: 'queued' }, limit: 10 });
  await toolbox.close();
  expect(mail?.body).toMatchObject({ to: REVIEW, subject: 'Invitation to administer the payment service' });
  expect(mail?.body.text).toMatch(/: http:\/\/localhost:8080\/console\/invitation\?token=[\w-]{43}$/m);
});

it('lists the administrators, without their secrets', async () => {
  const listed = await cli.json<{ readonly admins: readonly object[] }>('admin', 'list');
  expect(listed).toMatchObject({
    exitCode: 0,
    admins: [
      { id: owner, email: OWNER, name: null, role: 'owner', status: 'active', totp_enrolled_at: null },
      { email: REVIEW, role: 'compliance', status: 'invited', passkeys: 0 },
    ],
  });
  expect(JSON.stringify(listed)).not.toMatch(/scrypt|sealed|hash/);
});

it('disables and enables an administrator, and takes an authenticator away', async () => {
  const { admins } = await cli.json<{ readonly admins: readonly { readonly id: string }[] }>('admin', 'list');
  const id = admins[1]?.id as string;
  expect((await cli.run(['admin', 'disable', id, '--reason', 'Has left.'])).out).toBe(
    `${id} is disabled, and signed out everywhere.\n`,
  );
  expect((await cli.run(['admin', 'enable', id])).exitCode).toBe(0);
  expect((await cli.run(['admin', 'reset-authenticator', owner])).exitCode).toBe(0);
});

it.each([
  [['disable', 'adm_00000000000000000000000009'], 'resource_missing'],
  [['enable', OWNER], 'resource_missing'],
  [['invite', '--email', REVIEW, '--role', 'king'], 'invalid_role'],
  [['invite', '--email', OWNER, '--role', 'viewer'], 'parameter_invalid'],
])('fails for %p', async (args, code) => {
  expect((await cli.run(['admin', ...args])).err).toMatch(new RegExp(`^${code}: `));
});

it('keeps the last owner', async () => {
  expect((await cli.run(['admin', 'disable', owner])).err).toMatch(/^invalid_state_transition: /);
});

it('proposes once two owners are active, and changes nothing by itself', async () => {
  const second = await cli.json<{ readonly admin_id: string }>(
    ...['admin', 'create', '--email', 'second@pay.example', '--password', 'violet harbour 43'],
  );
  expect(second.admin_id).toMatch(/^adm_/);
  expect(await cli.json('admin', 'disable', second.admin_id, '--reason', 'Has left.')).toMatchObject({
    ...{ exitCode: 0, permission: 'admin.manage', target: second.admin_id, status: 'pending' },
    approval: expect.stringMatching(/^apr_/),
  });
  expect(await cli.json('admin', 'create', '--email', 'third@pay.example', '--password', 'x')).toMatchObject({
    ...{ permission: 'admin.manage', target: 'third@pay.example', status: 'pending' },
  });
  expect(await cli.json('admin', 'reset-authenticator', second.admin_id)).toMatchObject({
    ...{ permission: 'admin.manage', target: second.admin_id, status: 'pending' },
  });
  const { admins } = await cli.json<{
    readonly admins: readonly { readonly email: string; readonly status: string }[];
  }>(...['admin', 'list']);
  expect(admins.find(({ email }) => email === 'second@pay.example')).toMatchObject({ status: 'active' });
  expect(admins.some(({ email }) => email === 'third@pay.example')).toBe(false);
});

it('lifts the stop of a business that is not verified by its approval alone, once two owners are active', async () => {
  const lift = ['kill-switch', 'lift', 'merchant', 'mch_00000000000000000000000009', '--reason', 'It is known.'];
  expect((await cli.run([...lift, '--ground', 'kyb'])).err).toMatch(/^second_approval_required: .*kyb approve/);
  expect((await cli.run(lift)).exitCode).toBe(0);
});
