import { merchantsProjection } from '../../../projections/merchants.projection';
import { usersProjection } from '../../../projections/users.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { OutboxDocument } from '../../../src/modules/outbox/outbox';
import { OutboxReader } from '../../../src/modules/outbox/outbox-reader';
import type { AccountLetter } from '../../../src/modules/users/account-mail';
import { NOTICE_CATEGORIES, Notices } from '../../../src/processes/notices/notices';
import { PeopleMail } from '../../../src/processes/notices/people-mail';
import { DASHBOARD_URL } from '../../support/mail-texts';
import { NoticeStage } from './notice-stage';

const MERCHANT = 'mch_00000000000000000000000001';
const USER = 'usr_00000000000000000000000001';
const SESSION = 'ses_00000000000000000000000001';
const AT = '2026-11-01T12:00:00.000Z';
const LINK = { token: 'secret-of-32-bytes', expiresAt: AT };
const NOBODY = { tell: () => Promise.reject(new Error('nobody else is told here')) };

let stage: NoticeStage;

beforeAll(async () => {
  stage = await NoticeStage.open([merchantsProjection, usersProjection]);
  await record(`merchant-${MERCHANT}`, 'MerchantRegistered', { name: 'Corner Shop', email: 'owner@example.com' });
  const signedUp = { merchant_id: MERCHANT, email: 'ada@example.com', name: 'Ada', password_hash: 'hash' };
  await record(`user-${USER}`, 'UserSignedUp', signedUp);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => stage.server.stop());

function record(stream: string, type: string, data: object): Promise<RecordedEvent> {
  const actor = { role: 'merchant', type: 'user', id: USER } as const;
  return stage.record(
    'platform',
    stream,
    { type, data },
    { actor, merchant_id: MERCHANT, occurred_at: AT, ip: '192.0.2.7' },
  );
}

async function handle(event: RecordedEvent): Promise<OutboxDocument | null> {
  const { outbox, readModels, clock, log } = stage;
  const operatorMail = { tellHoleClosed: NOBODY.tell, tellDeferralGivenUp: NOBODY.tell };
  const others = { operatorMail, invoiceMail: NOBODY, queueMail: NOBODY, feeMail: NOBODY };
  const writes = { load: () => Promise.reject(new Error('no stream is read here')) };
  const notices = new Notices({ outbox, readModels, clock, log, writes, canSend: true, ...others });
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
  ['RecoveryCodeUsed', { code_hash: 'hash' }, 'A recovery code was used'],
  ['PasskeyAdded', { passkey_id: 'pk_1', credential_hash: 'hash', name: 'Laptop' }, 'A passkey was added'],
  ['PasskeyRemoved', { passkey_id: 'pk_1' }, 'A passkey was removed'],
])('tells the person of the event %s %j', async (type, data, subject) => {
  const message = await handle(await record(`user-${USER}`, type, data));
  expect(message).toMatchObject({ to: 'ada@example.com', subject, merchant_id: MERCHANT, status: 'queued' });
  expect(message?.text).toContain('From network address: 192.0.2.7\n');
  expect(`${message?.text}${message?.html}`).not.toMatch(/hash|sealed/);
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
    await record(`user-${USER}`, 'RoleGiven', { role: 'owner' }),
  ];
  const reads = [jest.spyOn(stage.readModels, 'get'), jest.spyOn(stage.messages, 'list')];
  for (const event of quiet) expect(await handle(event)).toBeNull();
  for (const read of reads) expect(read).not.toHaveBeenCalled();
});

it('is read by the group from users and sessions', () => {
  expect(NOTICE_CATEGORIES).toEqual(expect.arrayContaining(['user', 'session', 'api_key']));
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
  const reader = await OutboxReader.open({ open: () => Promise.resolve(stage.messages) } as never);
  expect(await reader.find(MERCHANT, id)).toBeNull();
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
  const refusals = { userId: USER, merchantId: MERCHANT, email: 'ada@example.com', refusals: 20, at: AT };
  const before = await stage.messages.count();
  await mail().tell(refusals);
  await mail().tell(refusals);
  expect(await stage.messages.count()).toBe(before + 1);
});
