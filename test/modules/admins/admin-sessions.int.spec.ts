import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { CommandBus } from '@nestjs/cqrs';
import { MINUTE_MS } from '../../../src/kernel/clock';
import { streamName } from '../../../src/kernel/event';
import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { AdminAccountController } from '../../../src/modules/admins/api/admin-account.controller';
import { AdminSessionController } from '../../../src/modules/admins/api/admin-session.controller';
import { DisableAdmin, InviteAdmin } from '../../../src/modules/admins/commands/manage-admins.command';
import { OutboxReader } from '../../../src/modules/outbox/queries/outbox-reader';
import { SignInByPasskey, StartSignIn } from '../../../src/modules/sessions/commands/sign-in.command';
import { ResetAuthenticator } from '../../../src/modules/users/commands/manage-users.command';
import { ADMIN_RULE, type AdminRule } from '../../../src/platform/http/admin-admission';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { SoftwareAuthenticator } from '../../support/software-authenticator';
import type { StagedMerchant } from '../../support/staged-merchant';
import { ConsoleCaller, PASSWORD } from './console-caller';

const OWNER = 'owner@shop.example';
const HOUR_MS = 60 * MINUTE_MS;
/** Less than the idle time, and more than the pause between two written uses. */
const ACTIVE_MS = 14 * MINUTE_MS;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
/** A secret of a merchant's person, under the names of both cookies. */
let cookies: readonly { readonly cookie: string }[] = [];
let count = 0;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance, { isChecked: false, email: OWNER });
  const start = new StartSignIn(OWNER, PASSWORD, { ip: '127.0.0.1', userAgent: '' }, 'req_of_merchant');
  const { secret } = await instance.app.get(CommandBus).execute(start);
  cookies = ['__Host-qt_admin', '__Host-qt_session'].map(name => ({ cookie: `${name}=${secret}` }));
});

afterAll(() => stage.close());

const caller = () => new ConsoleCaller(stage, instance);
const newAddress = () => `admin${(count += 1)}@example.com`;

/** An administrator who is signed in. Owners end where there are two, so others are invited. */
async function signedIn(role = 'viewer') {
  const [email, browser] = [newAddress(), caller()];
  await browser.run(new InviteAdmin(email, role, browser.context()));
  const token = await tokenTo(email);
  expect(await browser.post('invitations/accept', { token, name: 'Bo Lind', password: PASSWORD })).toMatchObject({
    status: 204,
  });
  const enrolled = await browser.enrol(email);
  return { email, browser, enrolled, id: adminIdOfEmail(email) };
}

async function tokenTo(address: string): Promise<string> {
  const mail = await (await OutboxReader.open(stage.core.documents)).newestLinkTo(address);
  return /token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';
}

async function eventsOf(category: string, id: string): Promise<readonly string[]> {
  return (await stage.core.store.readStream(streamName('platform', category, id))).map(({ type }) => type);
}

describe('signing in', () => {
  it('takes password and code, and tells the role and its permissions', async () => {
    const { email, browser, enrolled } = await signedIn('compliance');
    expect(enrolled.body).toMatchObject({ stage: 'full' });
    expect(enrolled.body.recovery_codes).toHaveLength(10);
    const again = caller();
    expect((await again.start(email)).body).toMatchObject({ stage: 'code' });
    expect((await again.get('sessions')).code).toBe('mfa_required');
    expect((await again.signIn(email, browser.secret)).body).toMatchObject({ stage: 'full' });
    const shown = await again.get('session');
    expect(shown.body.admin).toMatchObject({ email, name: 'Bo Lind', role: 'compliance' });
    expect(shown.body.permissions).toContain('kyb.approve');
    expect(shown.body.permissions).not.toContain('fee.adjust');
  });

  it.each([
    ['a wrong password', { password: 'amber lantern 77 no' }],
    ['an address without an administrator', { email: 'nobody@example.com' }],
  ])('answers %s alike', async (_, wrong) => {
    const { email } = await signedIn();
    expect((await caller().post('session', { email, password: PASSWORD, ...wrong })).code).toBe('invalid_credentials');
  });

  it('slows the tries of one network at one administrator', async () => {
    const { email } = await signedIn();
    const browser = caller();
    for (let tries = 0; tries < 5; tries++) await browser.start(email, 'amber lantern 77 no');
    expect((await browser.start(email)).code).toBe('rate_limit');
    stage.clock.pass(MINUTE_MS);
    expect((await browser.start(email)).body).toMatchObject({ stage: 'code' });
  });

  it('takes a recovery code in place of the authenticator, once, for a new enrolment alone', async () => {
    const { email, enrolled } = await signedIn();
    const [first] = enrolled.body.recovery_codes as readonly string[];
    const browser = caller();
    await browser.start(email);
    expect((await browser.post('session/recovery-code', { code: first })).body).toMatchObject({ stage: 'enrolment' });
    expect((await browser.get('sessions')).code).toBe('mfa_required');
    const other = caller();
    await other.start(email);
    expect((await other.post('session/recovery-code', { code: first })).code).toBe('mfa_proof_invalid');
  });

  it('tells that a seed cannot be read', async () => {
    const { email, browser } = await signedIn();
    const open = jest.spyOn(stage.core.secretBox, 'open').mockRejectedValue(new Error('another key sealed it'));
    const answer = await caller().signIn(email, browser.secret);
    open.mockRestore();
    expect(answer).toMatchObject({ status: 500, code: 'admin_totp_secret_invalid' });
  });

  it('sets a new password by a mailed link, and ends all sessions', async () => {
    const { email, browser } = await signedIn();
    expect((await caller().post('password/reset-requests', { email })).status).toBe(202);
    const token = await tokenTo(email);
    expect((await caller().post('password/reset', { token, password: 'amber lantern 77' })).status).toBe(204);
    expect((await browser.get('session')).code).toBe('session_revoked');
    expect((await caller().start(email)).code).toBe('invalid_credentials');
    expect((await caller().start(email, 'amber lantern 77')).body).toMatchObject({ stage: 'code' });
  });
});

describe('a passkey', () => {
  const origin = () => new URL(stage.core.config.dashboardUrl).origin;

  async function withPasskey() {
    const { browser, email } = await signedIn();
    const authenticator = new SoftwareAuthenticator(origin(), 'localhost');
    const offer = await browser.post('passkeys/options', {}, { 'mfa-code': browser.code() });
    const credential = authenticator.create(offer.body as never);
    const { body } = await browser.post('passkeys', { credential, name: 'Laptop' });
    return { browser, email, authenticator, id: String(body.id) };
  }

  const assertion = async (authenticator: SoftwareAuthenticator) =>
    authenticator.get((await caller().post('session/passkey/options')).body as never);

  it('signs in by itself, and no more once it is removed', async () => {
    const { browser, authenticator, id } = await withPasskey();
    const other = caller();
    const signIn = await other.post('session/passkey', { credential: await assertion(authenticator) });
    expect(signIn.body).toMatchObject({ stage: 'full' });
    expect((await other.get('passkeys')).body.data).toMatchObject([{ id, name: 'Laptop' }]);
    const removed = await browser.post(`passkeys/${id}/remove`, {}, { 'mfa-code': browser.code() });
    expect(removed.status).toBe(204);
    const again = await caller().post('session/passkey', { credential: await assertion(authenticator) });
    expect(again.code).toBe('passkey_rejected');
  });

  it('opens no account of a merchant', async () => {
    const { authenticator } = await withPasskey();
    const command = new SignInByPasskey(await assertion(authenticator), { ip: null, userAgent: '' }, 'req_passkey');
    await expect(caller().run(command)).rejects.toMatchObject({
      code: 'passkey_rejected',
      detail: { reason: 'unknown_credential' },
    });
  });

  it('counts no more after its administrator was rescued, who then enrols anew', async () => {
    const { browser, email, authenticator } = await withPasskey();
    await browser.run(new ResetAuthenticator(adminIdOfEmail(email), 'The phone is lost.', browser.context()));
    expect((await browser.get('session')).code).toBe('session_revoked');
    const signIn = await caller().post('session/passkey', { credential: await assertion(authenticator) });
    expect(signIn.code).toBe('passkey_rejected');
    expect((await caller().enrol(email)).body).toMatchObject({ stage: 'full' });
  });
});

describe('a session of the console', () => {
  it('falls idle after 15 minutes', async () => {
    const { browser } = await signedIn();
    stage.clock.pass(ACTIVE_MS);
    expect((await browser.get('session')).status).toBe(200);
    stage.clock.pass(ACTIVE_MS);
    expect((await browser.get('session')).status).toBe(200);
    stage.clock.pass(15 * MINUTE_MS);
    expect((await browser.get('session')).code).toBe('session_expired');
  });

  it('ends after eight hours, however active it is', async () => {
    const { browser } = await signedIn();
    for (let passed = 0; passed + ACTIVE_MS < 8 * HOUR_MS; passed += ACTIVE_MS) {
      stage.clock.pass(ACTIVE_MS);
      expect((await browser.get('session')).status).toBe(200);
    }
    stage.clock.pass(ACTIVE_MS);
    expect((await browser.get('session')).code).toBe('session_expired');
  });

  it('gets a new secret by each step up, and leaves the former one behind', async () => {
    const { browser } = await signedIn();
    const former = browser.cookie;
    expect((await browser.post('session/step-up', { code: '000000' })).code).toBe('mfa_proof_invalid');
    const { body } = await browser.post('session/step-up', { code: browser.code() });
    expect(body).toMatchObject({ stage: 'full' });
    expect(browser.cookie).not.toBe(former);
    expect((await browser.get('session')).status).toBe(200);
    expect((await browser.get('session', { cookie: String(former) })).code).toBe('session_revoked');
    expect(await eventsOf('admin_session', String(body.id))).toEqual(['SessionStarted', 'SteppedUp']);
  });

  it('asks for a fresh code where a step is risky', async () => {
    const { browser } = await signedIn();
    expect((await browser.post('recovery-codes')).code).toBe('mfa_required');
    const made = await browser.post('recovery-codes', {}, { 'mfa-code': browser.code() });
    expect(made.body.recovery_codes).toHaveLength(10);
    expect((await browser.get('session')).status).toBe(200);
  });

  it('stays where its administrator changes the password, and the others end', async () => {
    const { email, browser } = await signedIn();
    const other = caller();
    await other.signIn(email, browser.secret);
    const change = (present_password: string) =>
      browser.post('password', { present_password, password: 'amber lantern 77' });
    expect((await change('amber lantern 77 no')).code).toBe('invalid_password');
    expect((await change(PASSWORD)).status).toBe(204);
    expect((await browser.get('session')).status).toBe(200);
    expect((await other.get('session')).code).toBe('session_revoked');
    expect((await caller().start(email, 'amber lantern 77')).body).toMatchObject({ stage: 'code' });
  });

  it('replaces the authenticator by the first code of another one', async () => {
    const { email, browser } = await signedIn();
    const former = browser.secret;
    const offer = await browser.post('authenticator/replacement/offer', {}, { 'mfa-code': browser.code() });
    browser.secret = String(offer.body.secret);
    expect((await browser.post('authenticator/replacement', { code: browser.code() })).status).toBe(204);
    expect((await caller().signIn(email, former)).code).toBe('mfa_proof_invalid');
    expect((await caller().signIn(email, browser.secret)).body).toMatchObject({ stage: 'full' });
  });

  it('is one of five at most, and the sixth may end the oldest', async () => {
    const { email, browser } = await signedIn();
    for (let more = 0; more < 4; more++) await caller().signIn(email, browser.secret);
    const sixth = caller();
    expect((await sixth.signIn(email, browser.secret)).body).toMatchObject({ stage: 'choice' });
    expect((await sixth.get('sessions')).code).toBe('too_many_sessions');
    expect((await sixth.post('session/end-oldest')).body).toMatchObject({ stage: 'full' });
    expect((await browser.get('session')).code).toBe('session_revoked');
    expect((await sixth.get('sessions')).body.data).toHaveLength(5);
  });

  it('ends by itself, and another one of the administrator', async () => {
    const { email, browser } = await signedIn();
    const other = caller();
    const { body } = await other.signIn(email, browser.secret);
    expect((await browser.send('DELETE', `sessions/${String(body.id)}`)).status).toBe(204);
    expect((await other.get('session')).code).toBe('session_revoked');
    expect((await browser.send('DELETE', 'session')).status).toBe(204);
    expect((await browser.get('session')).code).toBe('admin_session_required');
  });

  it('ends at once where its administrator is disabled', async () => {
    const { browser, id, email } = await signedIn();
    await browser.run(new DisableAdmin(id, 'Has left.', browser.context()));
    expect((await browser.get('session')).code).toBe('session_revoked');
    expect((await caller().start(email)).code).toBe('account_disabled');
  });
});

describe('a write', () => {
  it.each([
    ['without the token', { 'x-csrf-token': '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused', async (_, headers) => {
    const { browser } = await signedIn();
    expect((await browser.post('session/step-up', { code: '000000' }, headers)).code).toBe('permission_denied');
  });

  it('takes no token of another session', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const headers = { 'x-csrf-token': String(other.browser.token) };
    expect((await one.browser.send('DELETE', 'session', undefined, headers)).code).toBe('permission_denied');
  });
});

type Handler = (...args: never[]) => unknown;
const GUARDED = [AdminSessionController, AdminAccountController].flatMap(controller => {
  const prototype = controller.prototype as unknown as Readonly<Record<string, Handler>>;
  return Object.getOwnPropertyNames(prototype).flatMap(name => {
    const handler = prototype[name] as Handler;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    const rule = Reflect.getMetadata(ADMIN_RULE, handler) as AdminRule | undefined;
    if (method === undefined) return [];
    expect(rule).toBeDefined();
    if (rule?.stages.length === 0) return [];
    const path = (Reflect.getMetadata(PATH_METADATA, handler) as string).replace(':id', 'one');
    return [[RequestMethod[method] ?? '', path] as const];
  });
});

describe('another realm', () => {
  it('has routes to keep out of', () => expect(GUARDED.length).toBeGreaterThan(10));

  it.each(GUARDED)('%s /admin/%s takes no key and no session of a merchant', async (method, path) => {
    const stranger = caller();
    const ways: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: `Bearer ${merchant.registered.keys.test}` },
      ...cookies,
    ];
    for (const headers of ways) {
      const answer = await stranger.send(method, path, undefined, headers);
      expect(answer).toMatchObject({ status: 401, code: 'admin_session_required' });
    }
  });

  it('gives an administrator neither the API nor the dashboard', async () => {
    const { browser } = await signedIn('owner');
    const secret = String(browser.cookie).split('=')[1] ?? '';
    const ask = (path: string, headers: Readonly<Record<string, string>>) =>
      instance.caller.send({ method: 'GET', path, headers: { 'sec-fetch-dest': 'empty', ...headers } });
    for (const cookie of [`__Host-qt_admin=${secret}`, `__Host-qt_session=${secret}`]) {
      expect(JSON.parse((await ask('/v1/payment_intents', { cookie })).body)).toMatchObject({
        error: { code: 'authentication_required' },
      });
      expect(JSON.parse((await ask('/dashboard/test/security', { cookie })).body)).toMatchObject({
        error: { code: 'unknown_session' },
      });
    }
    expect((await ask('/v1/payment_intents', { authorization: `Bearer ${secret}` })).status).toBe(401);
  });
});
