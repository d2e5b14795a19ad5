import 'reflect-metadata';
import { openToolbox } from '../../src/cli/toolbox';
import { OUTBOX_COLLECTION, type OutboxDocument } from '../../src/modules/outbox/outbox';
import { CliSession } from './cli-support';

const OWNER = 'owner@example.com';
const BOOKS = 'books@example.com';

/** Registered once, since a password's hash takes its time: each test works on a copy. */
const registered = new CliSession();
let merchant: { readonly merchant_id: string; readonly user_id: string };
let cli: CliSession;

beforeAll(async () => {
  const create = ['merchant', 'create', '--name', 'Tea House', '--email', OWNER, '--password', 'violet harbour 42'];
  merchant = await registered.json(...create);
});
afterAll(() => registered.end());
beforeEach(() => {
  cli = new CliSession(registered);
});
afterEach(() => cli.end());

const invite = (email: string, role: string) =>
  cli.run(['user', 'invite', merchant.merchant_id, '--email', email, '--role', role]);

it('lists the people of a merchant, without their secrets', async () => {
  await invite(BOOKS, 'finance');
  const listed = await cli.json<{ readonly users: readonly object[] }>('user', 'list', merchant.merchant_id);
  expect(listed).toMatchObject({
    exitCode: 0,
    users: [
      { id: merchant.user_id, email: OWNER, name: null, role: 'owner', status: 'active', recovery_codes_left: 0 },
      { email: BOOKS, role: 'finance', status: 'invited', totp_enrolled_at: null, passkeys: 0 },
    ],
  });
  expect(JSON.stringify(listed)).not.toMatch(/scrypt|sealed|hash/);
  const { out } = await cli.run(['user', 'list', merchant.merchant_id]);
  expect(out).toMatch(
    new RegExp(`^${merchant.user_id}  active    owner      ${OWNER}\nusr_\\w{26}  invited   finance    ${BOOKS}\n$`),
  );
});

it('mails an invitation once for each asking, with a link to the dashboard', async () => {
  expect(await invite(BOOKS, 'finance')).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('as finance') as string,
  });
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const outbox = await toolbox.documents.open<OutboxDocument>(OUTBOX_COLLECTION);
  const [mail, ...others] = await outbox.list({ index: 'by_due', equals: { status: 'queued' }, limit: 10 });
  await toolbox.close();
  expect(others).toEqual([]);
  expect(mail?.body).toMatchObject({ to: BOOKS, subject: 'Invitation to the account of Tea House' });
  expect(mail?.body.text).toMatch(/: http:\/\/localhost:8080\/dashboard\/invitation\?token=[\w-]{43}$/m);
});

it('fails for what does not exist, and for the last owner', async () => {
  const { merchant_id: id, user_id: owner } = merchant;
  const errorOf = async (...args: readonly string[]) => (await cli.run(['user', ...args])).err.split(':')[0];
  expect(await errorOf('list', 'mch_00000000000000000000000009')).toBe('merchant_not_found');
  expect(await errorOf('disable', id, 'usr_00000000000000000000000009')).toBe('resource_missing');
  expect(await errorOf('enable', id, OWNER)).toBe('resource_missing');
  expect(await errorOf('disable', id, owner)).toBe('invalid_state_transition');
  expect((await invite(BOOKS, 'king')).err).toMatch(/^invalid_role: /);
  expect((await invite(OWNER, 'viewer')).err).toMatch(/^parameter_invalid: /);
  expect((await cli.run(['user', 'enable', id, owner])).exitCode).toBe(0);
});
