import 'reflect-metadata';
import { operatorContext } from '../../src/cli/operator-context';
import { openToolbox } from '../../src/cli/toolbox';
import { OUTBOX_COLLECTION, type OutboxDocument } from '../../src/modules/outbox/outbox';
import { userIdOfEmail } from '../../src/modules/users/registration';
import { users } from '../../src/modules/users/user.decider';
import { DEFAULT_SESSION_POLICY } from '../../src/modules/sessions/session-policy';
import { SessionGranting } from '../../src/modules/sessions/session-granting';
import { seatsIn, SessionSeats } from '../../src/modules/sessions/session-seats';
import { SignInPlaces } from '../../src/modules/sessions/sign-in-places';
import { StoredSessions } from '../../src/modules/sessions/stored-sessions';
import { CliSession } from './cli-support';

const OWNER = 'owner@example.com';
const BOOKS = 'books@example.com';
const REASON = ['--reason', 'A lost telephone; seen in person.'] as const;
const OPERATOR = { role: 'admin', type: 'system', id: 'cli:alice' };

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
    new RegExp(`^${merchant.user_id}  active     owner      ${OWNER}\nusr_\\w{26}  invited    finance    ${BOOKS}\n$`),
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

/** A person who has joined and enrolled. */
async function joined(): Promise<string> {
  await invite(BOOKS, 'finance');
  const userId = userIdOfEmail(BOOKS);
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const context = () => ({ ...operatorContext(toolbox), merchantId: merchant.merchant_id });
  const invitation = { merchant_id: merchant.merchant_id, email: BOOKS, role: 'finance' } as const;
  const accept = { type: 'accept', invitation, name: 'Bo', passwordHash: 'hash' } as const;
  await toolbox.writes.execute(users, userId, accept, context());
  const enrol = { type: 'enrol_totp', secretSealed: 'sealed', replaces: null, codeHashes: ['hash of a code'] } as const;
  await toolbox.writes.execute(users, userId, enrol, context());
  await toolbox.close();
  return userId;
}

/** The newest event of the stream: its type, its facts, and its actor. */
async function newestOf(stream: string) {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const [newest] = (await toolbox.store.readStream(`platform.${stream}`)).slice(-1);
  await toolbox.close();
  return newest && { type: newest.type, data: newest.data, actor: newest.metadata.actor };
}

it('withdraws an invitation, whose address is invited again', async () => {
  await invite(BOOKS, 'finance');
  const books = userIdOfEmail(BOOKS);
  const { exitCode, out } = await cli.run(['user', 'withdraw-invitation', merchant.merchant_id, books]);
  expect([exitCode, out]).toEqual([0, expect.stringContaining('is withdrawn. Its link does nothing any more.')]);
  expect(await newestOf(`user-${books}`)).toEqual({ type: 'InvitationWithdrawn', data: {}, actor: OPERATOR });
  const owner = await cli.run(['user', 'withdraw-invitation', merchant.merchant_id, merchant.user_id]);
  expect(owner.err).toMatch(/^invalid_state_transition: /);
  expect((await invite(BOOKS, 'viewer')).exitCode).toBe(0);
});

/** Signs the person in, as the service would. `standing` tells later how the session has ended, if it has a seat. */
async function signedIn(userId: string) {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const { documents, clock, entropy, writes: writePath } = toolbox;
  const [sessions, seats] = [
    await StoredSessions.open(documents, clock, 'merchant'),
    await SessionSeats.open(documents, 'merchant'),
  ];
  const places = await SignInPlaces.open(documents, clock);
  const granting = new SessionGranting({ realm: 'merchant', sessions, seats, places, writePath, clock, entropy });
  const sessionId = granting.newSessionId();
  const facts = {
    ...{ client: { ip: null, userAgent: '' }, requestId: null, sessionId, userId, epoch: 0 },
    ...({ merchantId: merchant.merchant_id, method: 'password', policy: DEFAULT_SESSION_POLICY } as const),
  };
  const { secret } = await granting.full(facts, await seats.of(userId));
  await toolbox.close();
  return async () => {
    const after = await openToolbox(cli.env, () => undefined, 'alice');
    const stored = await (await StoredSessions.open(after.documents, after.clock, 'merchant')).find(secret);
    const { seats: taken } = seatsIn(await (await SessionSeats.open(after.documents, 'merchant')).of(userId));
    await after.close();
    const { type, actor } = (await newestOf(`session-${sessionId}`)) ?? {};
    return { ended: stored?.body.ended?.how ?? null, seats: taken.length, type, by: actor?.id };
  };
}

describe('the sessions of a person (ASVS 7.4.5)', () => {
  it.each([
    ['disable', 'user_disabled', 'disabled, and signed out everywhere'],
    ['sign-out', 'operator', 'signed out everywhere'],
    ['reset-authenticator', 'operator', 'signed out everywhere, and enrols an authenticator at the next sign-in'],
  ])('end with the command %s, by the operator', async (command, how, words) => {
    const books = await joined();
    const standing = await signedIn(books);
    expect(await standing()).toEqual({ ended: null, seats: 1, type: 'SessionStarted', by: books });
    const who = command === 'reset-authenticator' ? [BOOKS, ...REASON] : [merchant.merchant_id, books];
    const { exitCode, out } = await cli.run(['user', command, ...who]);
    expect([exitCode, out]).toEqual([0, `${books} of ${merchant.merchant_id} is ${words}.\n`]);
    expect(await standing()).toEqual({ ended: how, seats: 0, type: 'SessionEnded', by: OPERATOR.id });
  });

  it('end for nobody of another merchant', async () => {
    const other = await cli.json<{ readonly merchant_id: string }>(
      ...['merchant', 'create', '--name', 'Coffee House', '--email', BOOKS, '--password', 'amber lantern 77'],
    );
    const standing = await signedIn(merchant.user_id);
    for (const command of ['sign-out', 'disable']) {
      const { err } = await cli.run(['user', command, other.merchant_id, merchant.user_id]);
      expect(err).toMatch(/^resource_missing: /);
    }
    expect(await standing()).toMatchObject({ ended: null, seats: 1 });
  });
});

describe('the reset of an authenticator', () => {
  it('is told by the log once, with its reason and the operator', async () => {
    const books = await joined();
    expect((await cli.run(['user', 'reset-authenticator', BOOKS, ...REASON])).exitCode).toBe(0);
    const reset = { type: 'AuthenticatorReset', data: { reason: REASON[1] }, actor: OPERATOR };
    expect(await newestOf(`user-${books}`)).toEqual(reset);
    const listed = await cli.json<{ readonly users: readonly object[] }>('user', 'list', merchant.merchant_id);
    expect(listed.users[1]).toMatchObject({ status: 'active', totp_enrolled_at: null, recovery_codes_left: 0 });
    expect((await cli.run(['user', 'reset-authenticator', BOOKS, ...REASON])).exitCode).toBe(0);
    expect(await newestOf(`user-${books}`)).toEqual(reset);
  });

  it('needs a reason, and the address of somebody with an account', async () => {
    const errorOf = async (...args: readonly string[]) =>
      (await cli.run(['user', 'reset-authenticator', ...args])).err.split(':')[0];
    expect(await errorOf(OWNER, '--reason', ' ')).toBe('invalid_reason');
    await invite(BOOKS, 'finance');
    for (const nobody of [BOOKS, 'nobody@example.com'])
      expect(await errorOf(nobody, ...REASON)).toBe('resource_missing');
    expect(await errorOf('nobody', ...REASON)).toBe('parameter_invalid');
  });
});
