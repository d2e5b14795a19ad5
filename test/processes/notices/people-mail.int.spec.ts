import { adminsProjection } from '../../../projections/admins.projection';
import { merchantsProjection } from '../../../projections/merchants.projection';
import { usersProjection } from '../../../projections/users.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { OutboxDocument } from '../../../src/modules/outbox/outbox';
import { GetOutboxMail, OutboxReader, type WholeMail } from '../../../src/modules/outbox/queries/outbox-reader';
import type { AccountLetter } from '../../../src/modules/users/account-mail';
import { NOTICE_CATEGORIES, NOTICES_AN_HOUR, Notices } from '../../../src/processes/notices/notices';
import { PeopleMail } from '../../../src/processes/notices/people-mail';
import { CONSOLE_URL, DASHBOARD_URL } from '../../support/mail-texts';
import { NoticeStage } from './notice-stage';

const MERCHANT = 'mch_00000000000000000000000001';
const USER = 'usr_00000000000000000000000001';
const SESSION = 'ses_00000000000000000000000001';
const AT = '2026-11-01T12:00:00.000Z';
const LINK = { token: 'secret-of-32-bytes', expiresAt: AT };
const NOBODY = { tell: () => Promise.reject(new Error('nobody else is told here')) };

let stage: NoticeStage;

beforeAll(async () => {
  stage = await NoticeStage.open([merchantsProjection, usersProjection, adminsProjection]);
  await record(`merchant-${MERCHANT}`, 'MerchantRegistered', { name: 'Corner Shop', email: 'owner@example.com' });
  const signedUp = { merchant_id: MERCHANT, email: 'ada@example.com', name: 'Ada', password_hash: 'hash' };
  await record(`user-${USER}`, 'UserSignedUp', signedUp);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => stage.server.stop());

function record(stream: string, type: string, data: object, command_id = 'c-0'): Promise<RecordedEvent> {
  const actor = { role: 'merchant', type: 'user', id: USER } as const;
  const cause = { actor, merchant_id: MERCHANT, occurred_at: AT, ip: '192.0.2.7', command_id };
  return stage.record('platform', stream, { type, data }, cause);
}

/** A message as an owner of the account reads it in the dashboard. */
async function readInDashboard(id: string): Promise<WholeMail | null> {
  const reader = await OutboxReader.open({ open: () => Promise.resolve(stage.messages) } as never);
  return reader.find(new GetOutboxMail(MERCHANT, id));
}

async function handle(event: RecordedEvent): Promise<OutboxDocument | null> {
  const { outbox, readModels, clock, log } = stage;
  const operatorMail = { tellHoleClosed: NOBODY.tell, tellDeferralGivenUp: NOBODY.tell };
  const others = { operatorMail, invoiceMail: NOBODY, queueMail: NOBODY, feeMail: NOBODY };
  const load = async (_: unknown, universe: string, id: string) => ({
    history: await stage.store.readStream(`${universe}.user-${id}`),
  });
  // Without a mail server, messages are read in the dashboard alone.
  const notices = new Notices({ outbox, readModels, clock, log, writes: { load } as never, canSend: false, ...others });
  await notices.handle({ event, retries: 0 });
  await notices.handle({ event, retries: 1 });
  return (await outbox.find(event.id))?.body ?? null;
}

const started = (isNewPlace: boolean) =>
  record(`session-${SESSION}`, 'SessionStarted', {
    user_id: USER,
    method: 'passkey',
    place: { network: '192.0.2.0/24', browser: 'Firefox' },
    is_new_place: isNewPlace,
  });

it.each([
  ['PasswordChanged', { password_hash: 'hash', reason: 'reset' }, 'Your password was reset'],
  ['PasswordChanged', { password_hash: 'hash', reason: 'changed' }, 'Your password was changed'],
  ['TotpEnrolled', { totp_secret_sealed: 'sealed' }, 'An authenticator was enrolled'],
  ['RecoveryCodesMade', { code_hashes: ['hash'] }, 'New recovery codes were made'],
  ['AuthenticatorReset', { reason: 'The telephone was lost.' }, 'Your authenticator was reset'],
  ['RecoveryCodeUsed', { code_hash: 'hash' }, 'A recovery code was used'],
  ['PasskeyAdded', { passkey_id: 'pk_1', credential_hash: 'hash', name: 'Laptop' }, 'A passkey was added'],
  ['PasskeyRemoved', { passkey_id: 'pk_1' }, 'A passkey was removed'],
])('tells the person of the event %s %j', async (type, data, subject) => {
  const event = await record(`user-${USER}`, type, data, `c-${type}`);
  const message = await handle(event);
  expect(message).toMatchObject({ to: 'ada@example.com', subject, merchant_id: MERCHANT, status: 'queued' });
  expect(message?.text).toContain('From network address: 192.0.2.7\n');
  expect(`${message?.text}${message?.html}`).not.toMatch(/hash|sealed/);
  expect(await readInDashboard(event.id)).toMatchObject({ subject, text: message?.text, status: 'queued' });
});

it.each([
  ['RoleGiven', { role: 'finance' }, 'You have another role now', 'Your role: finance\n'],
  ['UserDisabled', {}, 'Your sign-in was disabled', 'You can no longer sign in'],
  ['UserEnabled', {}, 'Your sign-in was enabled again', 'You can sign in'],
])('tells the person of the event %s, and not from where somebody else made it', async (type, data, subject, words) => {
  const event = await record(`user-${USER}`, type, data);
  const message = await handle(event);
  expect(message).toMatchObject({ to: 'ada@example.com', subject, merchant_id: MERCHANT, status: 'queued' });
  expect(message?.text).toContain(words);
  expect(message?.text).toContain(`Changed by: user ${USER}\n`);
  expect(`${message?.text}${message?.html}`).not.toContain('192.0.2.7');
  expect(await readInDashboard(event.id)).toMatchObject({ subject, text: message?.text, status: 'queued' });
});

describe('an administrator', () => {
  const ADMIN = 'adm_00000000000000000000000001';
  const recordOf = (stream: string, type: string, data: object) => {
    const actor = { role: 'admin', type: 'admin', id: ADMIN } as const;
    const cause = { actor, merchant_id: null, occurred_at: AT, ip: '192.0.2.7', command_id: `c-${type}` };
    return stage.record('platform', stream, { type, data }, cause);
  };

  beforeAll(async () => {
    await recordOf(`admin-${ADMIN}`, 'AdminCreated', {
      email: 'ops@example.com',
      role: 'owner',
      password_hash: 'hash',
    });
  });

  it.each([
    ['PasswordChanged', { password_hash: 'hash', reason: 'changed' }, 'Your password was changed'],
    ['PasskeyAdded', { passkey_id: 'pk_1', credential_hash: 'hash', name: 'Laptop' }, 'A passkey was added'],
    ['AdminRoleGiven', { role: 'finance' }, 'You have another role in the console now'],
    ['AdminEnabled', { reason: 'Is back.' }, 'Your sign-in to the console was enabled again'],
  ])('is told of the event %s, by a mail that leads to the console', async (type, data, subject) => {
    const message = await handle(await recordOf(`admin-${ADMIN}`, type, data));
    expect(message).toMatchObject({ to: 'ops@example.com', subject, merchant_id: null, status: 'queued' });
    expect(message?.text).toContain(CONSOLE_URL);
    expect(message?.text).not.toContain(DASHBOARD_URL);
  });

  it('is told of a disabling with its reason, and not from where another administrator made it', async () => {
    const message = await handle(await recordOf(`admin-${ADMIN}`, 'AdminDisabled', { reason: 'Has left.' }));
    expect(message).toMatchObject({ to: 'ops@example.com', subject: 'Your sign-in to the console was disabled' });
    expect(message?.text).toContain(`Reason: Has left.\n`);
    expect(message?.html).toContain('Has left.');
    expect(message?.text).not.toContain('192.0.2.7');
    await recordOf(`admin-${ADMIN}`, 'AdminEnabled', { reason: 'A mistake.' });
  });

  it('is told of the reset of an authenticator, and so are the other active owners', async () => {
    const other = 'adm_00000000000000000000000002';
    const created = { role: 'owner', password_hash: 'hash' };
    await recordOf(`admin-${other}`, 'AdminCreated', { email: 'bea@example.com', ...created });
    const gone = 'adm_00000000000000000000000003';
    await recordOf(`admin-${gone}`, 'AdminCreated', { email: 'cy@example.com', ...created });
    await recordOf(`admin-${gone}`, 'AdminDisabled', { reason: 'Has left.' });
    const message = await handle(await recordOf(`admin-${ADMIN}`, 'AuthenticatorReset', { reason: 'A lost phone.' }));
    expect(message).toMatchObject({ to: 'ops@example.com', kind: 'authenticator_reset' });
    expect(message?.text).toContain(CONSOLE_URL);
    const told = (await stage.messages.list({ index: 'by_due', equals: { status: 'queued' }, limit: 100 })).filter(
      ({ body }) => body.kind === 'authenticator_of_other_reset',
    );
    expect(told.map(({ body }) => [body.to, body.subject])).toEqual([
      ['bea@example.com', 'An authenticator of an administrator was reset'],
    ]);
    await Promise.all(told.map(({ id, version }) => stage.messages.deleteAt(id, version)));
  });

  it('is told of a sign-in from a new place', async () => {
    const place = { network: '192.0.2.0/24', browser: 'Firefox' };
    const data = { user_id: ADMIN, method: 'passkey', place, is_new_place: true };
    const message = await handle(await recordOf(`admin_session-${SESSION}`, 'SessionStarted', data));
    expect(message).toMatchObject({ to: 'ops@example.com', kind: 'signed_in_anew', merchant_id: null });
    expect(message?.text).toContain(CONSOLE_URL);
  });
});

it('tells the account of new limits of its sessions', async () => {
  const policy = { idle_minutes: 1, absolute_minutes: 480, pin_ip: true };
  const event = await record(`session_policy-${MERCHANT}`, 'SessionPolicySet', policy);
  const message = await handle(event);
  expect(message).toMatchObject({ to: 'owner@example.com', kind: 'session_policy_set', merchant_id: MERCHANT });
  expect(message?.text).toContain(
    'A session ends without use after: 1 minute\n' +
      'A session ends at the latest after: 480 minutes\n' +
      'A session keeps to its network address: yes\n',
  );
  expect(message?.text).toContain('From network address: 192.0.2.7\n');
  expect(await readInDashboard(event.id)).toMatchObject({ text: message?.text, status: 'queued' });
});

it('tells of an enrolment once, though it makes recovery codes as well', async () => {
  await record(`user-${USER}`, 'TotpEnrolled', { totp_secret_sealed: 'sealed' }, 'c-enrol');
  const made = await record(`user-${USER}`, 'RecoveryCodesMade', { code_hashes: ['hash'] }, 'c-enrol');
  expect(await handle(made)).toBeNull();
});

it('tells the other owners of the reset of an authenticator, however much mail the account had', async () => {
  const owner = 'usr_00000000000000000000000002';
  const others = [
    [owner, 'bea@example.com', 'owner'],
    ['usr_00000000000000000000000003', 'cy@example.com', 'finance'],
    ['usr_00000000000000000000000004', 'di@example.com', 'owner'],
  ] as const;
  for (const [id, email, role] of others) {
    await record(`user-${id}`, 'UserInvited', { merchant_id: MERCHANT, email, role });
    await record(`user-${id}`, 'InvitationAccepted', { name: email, password_hash: 'hash' });
  }
  await record('user-usr_00000000000000000000000004', 'UserDisabled', { reason: 'left' });
  jest.spyOn(stage.outbox, 'hasPutSince').mockResolvedValue(true);
  const event = await record(`user-${USER}`, 'AuthenticatorReset', { reason: 'Lost telephone.' });
  expect(await handle(event)).toMatchObject({ to: 'ada@example.com', kind: 'authenticator_reset' });
  const told = (await stage.messages.list({ index: 'by_due', equals: { status: 'queued' }, limit: 100 })).filter(
    ({ body }) => body.kind === 'authenticator_of_other_reset',
  );
  expect(told.map(({ body }) => body.to)).toEqual(['bea@example.com']);
  expect(told[0]?.body.text).toContain('Person: ada@example.com\nReason: Lost telephone.\n');
});

it('tells each person and the account of every change, however often somebody else changed something', async () => {
  const other = 'usr_00000000000000000000000005';
  await record(`user-${other}`, 'UserInvited', { merchant_id: MERCHANT, email: 'eve@example.com', role: 'developer' });
  await record(`user-${other}`, 'InvitationAccepted', { name: 'Eve', password_hash: 'hash' });
  const change = (user: string) =>
    record(`user-${user}`, 'PasswordChanged', { password_hash: 'hash', reason: 'changed' });
  for (let count = 0; count < NOTICES_AN_HOUR; count++) expect(await handle(await change(other))).not.toBeNull();
  expect(await handle(await change(other))).toBeNull();
  expect(await handle(await change(USER))).toMatchObject({ to: 'ada@example.com', kind: 'password_changed' });
  const key = 'api_key-key_00000000000000000000000001';
  expect(await handle(await record(key, 'ApiKeyRevoked', {}))).toMatchObject({ to: 'owner@example.com' });
});

it('tells the person of a sign-in from a new place', async () => {
  const message = await handle(await started(true));
  expect(message).toMatchObject({ to: 'ada@example.com', kind: 'signed_in_anew' });
  expect(message?.text).toContain('Browser: Firefox\nNetwork: 192.0.2.0/24\nNetwork address: 192.0.2.7\nBy: passkey\n');
});

it('reads and puts nothing for any other event of a person', async () => {
  const quiet = [
    await started(false),
    await record(`session-${SESSION}`, 'SteppedUp', { action: 'key.manage' }),
    await record(`session-${SESSION}`, 'SessionEnded', { how: 'signed_out' }),
    await record(`user-${USER}`, 'InvitationAccepted', { name: 'Ada', password_hash: 'hash' }),
  ];
  const reads = [jest.spyOn(stage.readModels, 'get'), jest.spyOn(stage.messages, 'list')];
  for (const event of quiet) expect(await handle(event)).toBeNull();
  for (const read of reads) expect(read).not.toHaveBeenCalled();
});

it('is read by the group from users, sessions and their limits', () => {
  expect(NOTICE_CATEGORIES).toEqual(expect.arrayContaining(['user', 'session', 'session_policy', 'api_key']));
});

const mail = () => new PeopleMail(stage.outbox, stage.readModels, stage.clock);

it.each<[AccountLetter, string]>([
  [{ kind: 'sign_up_link', ...LINK }, `${DASHBOARD_URL}/open-account?token=${LINK.token}`],
  [{ kind: 'reset_link', ...LINK }, `${DASHBOARD_URL}/new-password?token=${LINK.token}`],
  [{ kind: 'invitation', ...LINK, merchantId: MERCHANT, role: 'finance' }, `invitation?token=${LINK.token}`],
  [{ kind: 'account_exists' }, `${DASHBOARD_URL}/sign-in`],
])('mails the letter %j once, which no merchant reads', async (letter, link) => {
  const id = `letter-${letter.kind}`;
  for (let time = 0; time < 2; time++) await mail().put(id, 'new@example.com', letter);
  expect((await stage.outbox.find(id))?.body).toMatchObject({
    to: 'new@example.com',
    kind: letter.kind,
    merchant_id: null,
    text: expect.stringContaining(link) as string,
    html: expect.stringContaining(link) as string,
  });
  expect(await readInDashboard(id)).toBeNull();
});

it('names the account and the role in an invitation', async () => {
  await mail().put('invited', 'new@example.com', {
    kind: 'invitation',
    ...LINK,
    merchantId: MERCHANT,
    role: 'finance',
  });
  const { subject, text } = (await stage.outbox.find('invited'))?.body ?? {};
  expect(subject).toBe('Invitation to the account of Corner Shop');
  expect(text).toContain('Account: Corner Shop\nYour role: finance\n');
});

it('tells a person of many refused sign-ins, once for each time that is named', async () => {
  const refusals = {
    realm: 'merchant' as const,
    userId: USER,
    merchantId: MERCHANT,
    email: 'ada@example.com',
    refusals: 20,
    at: AT,
  };
  const before = await stage.messages.count();
  await mail().tell(refusals);
  await mail().tell(refusals);
  expect(await stage.messages.count()).toBe(before + 1);
});
