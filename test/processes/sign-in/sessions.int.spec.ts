import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import { DisableMerchant, EnableMerchant } from '../../../src/modules/merchants/commands/disable-merchant.command';
import {
  OfferPasskeyRegistration,
  OfferPasskeySignIn,
} from '../../../src/modules/passkeys/commands/offer-passkey.command';
import { RegisterPasskey } from '../../../src/modules/passkeys/commands/own-passkeys.command';
import { AuthenticateSession, EndOwnSessions, StepUp } from '../../../src/modules/sessions/commands/session.command';
import { StoredSessions } from '../../../src/modules/sessions/stored-sessions';
import { SetSessionPolicy } from '../../../src/modules/sessions/commands/set-session-policy.command';
import { EndOldestSession, SignInByPasskey } from '../../../src/modules/sessions/commands/sign-in.command';
import { ListSessions } from '../../../src/modules/sessions/queries/list-sessions.query';
import type { OpenSession } from '../../../src/modules/sessions/session-authentication';
import type { GivenSession } from '../../../src/modules/sessions/signed-in';
import { refuse } from '../../../src/vocabulary/errors';
import { SoftwareAuthenticator } from '../../support/software-authenticator';
import { HOME, SignInFixture, STEP_MS } from './sign-in-fixture';

const ELSEWHERE = { ip: '198.51.100.20', userAgent: 'Mozilla/5.0 Chrome/140.0 Safari/537.36' };
const HERE_BY_ANOTHER_ADDRESS = { ...HOME, ip: '203.0.113.8' };

let fixture: SignInFixture;
let person: Awaited<ReturnType<SignInFixture['person']>>;

beforeAll(async () => {
  fixture = await SignInFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  person = await fixture.person();
});

async function stepUp(secret: string, commandId = fixture.requestId(), code = fixture.code(person)) {
  return stepUpFrom(await fixture.openSession(secret), commandId, code);
}

function stepUpFrom(open: OpenSession, commandId: string, code: string, form: StepUp['form'] = null) {
  return fixture.run(new StepUp(open, code, 'wallet.create', commandId, HOME, fixture.requestId(), form));
}

/** From the session of `secret`. */
async function end(secret: string, which: EndOwnSessions['which']) {
  const open = await fixture.openSession(secret);
  return fixture.run(new EndOwnSessions(open, which, 'other_device', { ip: HOME.ip, requestId: null }));
}

async function listedBy({ secret }: Pick<GivenSession, 'secret'>) {
  return fixture.ask(new ListSessions(await fixture.openSession(secret)));
}

async function endOldest({ secret }: Pick<GivenSession, 'secret'>) {
  return fixture.run(new EndOldestSession(await fixture.openSession(secret), HOME, fixture.requestId()));
}

async function idOf(secret: string): Promise<string> {
  return (await fixture.authenticate(secret)).sessionId;
}

describe('a session (ASVS 7.2, 7.3, 7.4)', () => {
  it('begins with password and code, each under a secret of its own (ASVS 7.2.4)', async () => {
    const first = await fixture.start(person.email);
    expect(first).toMatchObject({ stage: 'code' });
    const full = await fixture.confirm(first.secret, fixture.code(person));
    expect(full).toMatchObject({ stage: 'full' });
    expect(full.secret).not.toBe(first.secret);
    await expect(fixture.standing(first.secret)).resolves.toBe('session_revoked');
    await expect(fixture.authenticate(full.secret)).resolves.toMatchObject({
      stage: 'full',
      method: 'password',
      userId: person.userId,
      email: person.email,
      role: 'owner',
      merchantId: person.merchantId,
      merchantName: 'Tea House',
    });
    const id = await idOf(full.secret);
    await expect(fixture.stores.eventTypes('platform', 'session', id)).resolves.toEqual(['SessionStarted']);
  });

  it('is unknown by any other text', async () => {
    await expect(fixture.standing('A'.repeat(43))).resolves.toBe('unknown_session');
    await expect(fixture.standing('')).resolves.toBe('unknown_session');
  });

  it('has a new secret after each step-up, and the old one ends (ASVS 7.2.4)', async () => {
    const { secret, expiresAt } = await fixture.signIn(person);
    const id = await idOf(secret);
    fixture.pass(STEP_MS);
    const renewed = await stepUp(secret);
    expect(renewed).toMatchObject({ stage: 'full', expiresAt });
    await expect(fixture.standing(secret)).resolves.toBe('session_revoked');
    await expect(idOf(renewed.secret)).resolves.toBe(id);
    const types = await fixture.stores.eventTypes('platform', 'session', id);
    expect(types).toEqual(['SessionStarted', 'SteppedUp']);
  });

  it('keeps its secret where the code is missing or wrong', async () => {
    const { secret } = await fixture.signIn(person);
    fixture.pass(STEP_MS);
    const step = (code: string) => stepUp(secret, fixture.requestId(), code);
    await expect(fixture.codeOf(step(' '))).resolves.toBe('mfa_required');
    await expect(fixture.codeOf(step('000000'))).resolves.toBe('mfa_proof_invalid');
    await expect(fixture.standing(secret)).resolves.toBe('ok');
  });

  it('lets one of two step-ups at once go on', async () => {
    const { secret } = await fixture.signIn(person);
    fixture.pass(STEP_MS);
    const command = fixture.requestId();
    const outcomes = await Promise.allSettled([stepUp(secret, command), stepUp(secret, command)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('steps up no session that has ended since its request was let in', async () => {
    const { secret } = await fixture.signIn(person);
    const open = await fixture.openSession(secret);
    await end(secret, { only: open.session.body.session_id });
    fixture.pass(STEP_MS);
    const late = stepUpFrom(open, fixture.requestId(), fixture.code(person));
    await expect(fixture.codeOf(late)).resolves.toBe('session_revoked');
    await expect(listedBy(await fixture.signIn(person))).resolves.toHaveLength(1);
  });

  it('steps up once by a form that was let in twice', async () => {
    const { secret } = await fixture.signIn(person);
    const open = await fixture.openSession(secret);
    fixture.pass(STEP_MS);
    const [command, code, form] = [fixture.requestId(), fixture.code(person), { secret, formId: 'f'.repeat(32) }];
    const first = await stepUpFrom(open, command, code, form);
    await expect(stepUpFrom(open, command, code, form)).resolves.toEqual(first);
    await expect(fixture.standing(first.secret)).resolves.toBe('ok');
    await expect(fixture.standing(secret)).resolves.toBe('session_revoked');
    await end(first.secret, { only: open.session.body.session_id });
    await expect(fixture.codeOf(stepUpFrom(open, command, code, form))).resolves.toBe('session_revoked');
    await expect(fixture.standing(first.secret)).resolves.toBe('session_revoked');
  });

  it('ends the other devices also where one has signed in since its request was let in', async () => {
    const { secret } = await fixture.signIn(person);
    const open = await fixture.openSession(secret);
    const late = await fixture.signIn(person, ELSEWHERE);
    const others = { allBut: open.session.body.session_id };
    await fixture.run(new EndOwnSessions(open, others, 'other_device', { ip: HOME.ip, requestId: null }));
    await expect(fixture.standing(late.secret, ELSEWHERE)).resolves.toBe('session_revoked');
    await expect(fixture.standing(secret)).resolves.toBe('ok');
  });

  it('falls idle after 30 minutes without a use (ASVS 7.3.1)', async () => {
    const { secret } = await fixture.signIn(person);
    fixture.pass(29 * MINUTE_MS);
    await expect(fixture.standing(secret)).resolves.toBe('ok');
    fixture.pass(30 * MINUTE_MS - 1);
    await expect(fixture.standing(secret)).resolves.toBe('ok');
    fixture.pass(30 * MINUTE_MS);
    await expect(fixture.standing(secret)).resolves.toBe('session_expired');
  });

  it('is not kept awake by an open page that looks anew by itself', async () => {
    const { secret } = await fixture.signIn(person);
    fixture.pass(20 * MINUTE_MS);
    await expect(fixture.standing(secret, HOME, true)).resolves.toBe('ok');
    fixture.pass(10 * MINUTE_MS);
    await expect(fixture.standing(secret)).resolves.toBe('session_expired');
  });

  it('ends after 12 hours whatever happens in it (ASVS 7.3.2)', async () => {
    let { secret } = await fixture.signIn(person);
    for (let minutes = 0; minutes < 700; minutes += 20) {
      fixture.pass(20 * MINUTE_MS);
      await expect(fixture.standing(secret)).resolves.toBe('ok');
    }
    ({ secret } = await stepUp(secret));
    fixture.pass(20 * MINUTE_MS - 1);
    await expect(fixture.standing(secret)).resolves.toBe('ok');
    fixture.pass(1);
    await expect(fixture.standing(secret)).resolves.toBe('session_expired');
    // A day later nobody remembers it.
    fixture.pass(2 * DAY_MS);
    await fixture.signIn(person);
    await expect(fixture.standing(secret)).resolves.toBe('unknown_session');
  });

  it('ends by a sign-out that was let in before its last step', async () => {
    fixture.pass(STEP_MS);
    const { secret: started } = await fixture.start(person.email);
    const open = await fixture.openSession(started);
    const { secret, sessionId } = await fixture.confirm(started, fixture.code(person));
    const signOut = new EndOwnSessions(open, { only: sessionId }, 'signed_out', { ip: HOME.ip, requestId: null });
    await fixture.run(signOut);
    await expect(fixture.standing(secret)).resolves.toBe('session_revoked');
  });

  it('is not kept awake by a secret that was replaced, where its process died before it ended that one', async () => {
    const { secret } = await fixture.signIn(person);
    fixture.pass(STEP_MS);
    const died = jest.spyOn(StoredSessions.prototype, 'end').mockRejectedValueOnce(new Error('died'));
    await expect(stepUp(secret)).rejects.toThrow('died');
    died.mockRestore();
    const form = () => fixture.run(new AuthenticateSession(secret, HOME, 'risky_form'));
    fixture.pass(20 * MINUTE_MS);
    await expect(form()).resolves.toMatchObject({ stage: 'full' });
    fixture.pass(10 * MINUTE_MS);
    await expect(fixture.codeOf(form())).resolves.toBe('session_expired');
  });

  it('ends at once where its user signs out, here or elsewhere (ASVS 7.4.1)', async () => {
    const [one, other] = [await fixture.signIn(person), await fixture.signIn(person, ELSEWHERE)];
    const id = await idOf(one.secret);
    await end(one.secret, { only: id });
    await expect(fixture.standing(one.secret)).resolves.toBe('session_revoked');
    await expect(fixture.standing(other.secret)).resolves.toBe('ok');
    await expect(fixture.codeOf(end(other.secret, { only: id }))).resolves.toBe('unknown_session');
    const types = await fixture.stores.eventTypes('platform', 'session', id);
    expect(types).toEqual(['SessionStarted', 'SessionEnded']);
  });

  it('ends with all others but the one that is kept, and with each sign-in under way (ASVS 7.4.3)', async () => {
    const [one, kept] = [await fixture.signIn(person), await fixture.signIn(person)];
    fixture.pass(STEP_MS);
    const underWay = await fixture.start(person.email);
    await end(kept.secret, { allBut: await idOf(kept.secret) });
    await expect(fixture.standing(one.secret)).resolves.toBe('session_revoked');
    await expect(fixture.standing(kept.secret)).resolves.toBe('ok');
    await expect(fixture.codeOf(fixture.confirm(underWay.secret, fixture.code(person)))).resolves.toBe(
      'session_revoked',
    );
  });

  it('waits while its account is disabled (ASVS 7.4.2)', async () => {
    const { secret } = await fixture.signIn(person);
    await fixture.run(new DisableMerchant('reported', fixture.context(person)));
    await expect(fixture.standing(secret)).resolves.toBe('account_disabled');
    await expect(fixture.codeOf(fixture.start(person.email))).resolves.toBe('account_disabled');
    await fixture.run(new EnableMerchant('cleared', fixture.context(person)));
    await expect(fixture.standing(secret)).resolves.toBe('ok');
  });
});

describe('the sixth session (ASVS 7.1.2)', () => {
  it('is offered the choice to end the oldest one', async () => {
    const five = [];
    for (let count = 0; count < 5; count++) five.push(await fixture.signIn(person));
    const sixth = await fixture.signIn(person);
    expect(sixth).toMatchObject({ stage: 'choice' });
    await expect(fixture.authenticate(sixth.secret)).resolves.toMatchObject({ stage: 'choice' });
    const chosen = await endOldest(sixth);
    expect(chosen).toMatchObject({ stage: 'full' });
    const standings = await Promise.all([...five, chosen].map(({ secret }) => fixture.standing(secret)));
    expect(standings).toEqual(['session_revoked', 'ok', 'ok', 'ok', 'ok', 'ok']);
    const id = await idOf(chosen.secret);
    const listed = await listedBy(chosen);
    expect(listed.map(({ current }) => current)).toEqual([false, false, false, false, true]);
    expect(listed[4]).toMatchObject({ id, method: 'password', ip: HOME.ip, user_agent: HOME.userAgent });
  });

  it('is never made by a race', async () => {
    // A passkey that counts nothing signs in as often as it is asked.
    const authenticator = new SoftwareAuthenticator('https://pay.example', 'pay.example', false);
    const user = await fixture.passkeyUser(person);
    const options = (await fixture.run(new OfferPasskeyRegistration(user))) as never;
    const created = authenticator.create(options);
    await fixture.run(new RegisterPasskey(person.userId, created, 'Phone', fixture.context(person)));
    const credentials = [];
    for (let count = 0; count < 8; count++) {
      const offered = (await fixture.run(new OfferPasskeySignIn('merchant', HOME.ip))) as never;
      credentials.push(authenticator.get(offered));
    }
    const given = await Promise.all(
      credentials.map(credential => fixture.run(new SignInByPasskey(credential, HOME, fixture.requestId()))),
    );
    const full = given.filter(({ stage }) => stage === 'full');
    expect(full).toHaveLength(5);
    await expect(Promise.all(full.map(({ secret }) => fixture.standing(secret)))).resolves.toEqual(
      full.map(() => 'ok'),
    );
    await expect(listedBy(full[0] ?? { secret: '' })).resolves.toHaveLength(5);
    // The choice of several at once ends as many of the oldest.
    const choices = given.filter(({ stage }) => stage === 'choice');
    const chosen = await Promise.all(choices.map(endOldest));
    expect(chosen.map(({ stage }) => stage)).toEqual(['full', 'full', 'full']);
    await expect(listedBy(chosen[0] ?? { secret: '' })).resolves.toHaveLength(5);
  });

  it('needs no choice where an older one has fallen idle', async () => {
    for (let count = 0; count < 5; count++) await fixture.signIn(person);
    fixture.pass(30 * MINUTE_MS);
    await expect(fixture.signIn(person)).resolves.toMatchObject({ stage: 'full' });
  });
});

describe("a merchant's policy of sessions", () => {
  const setPolicy = (idle_minutes: number, absolute_minutes: number, pin_ip = false) =>
    fixture.run(new SetSessionPolicy({ idle_minutes, absolute_minutes, pin_ip }, fixture.context(person)));

  it('holds for sessions that are open already', async () => {
    const { secret } = await fixture.signIn(person);
    await setPolicy(5, 60);
    fixture.pass(5 * MINUTE_MS);
    await expect(fixture.standing(secret)).resolves.toBe('session_expired');
  });

  it('lets an active session live through the shortest idle time', async () => {
    await setPolicy(1, 60);
    const { secret } = await fixture.signIn(person);
    for (let count = 0; count < 20; count++) {
      fixture.pass(20 * SECOND_MS);
      await expect(fixture.standing(secret)).resolves.toBe('ok');
    }
  });

  it('pins a session to its address', async () => {
    await setPolicy(30, 720, true);
    const { secret } = await fixture.signIn(person);
    await expect(fixture.standing(secret)).resolves.toBe('ok');
    await expect(fixture.standing(secret, HERE_BY_ANOTHER_ADDRESS)).resolves.toBe('session_ip_mismatch');
    await expect(fixture.standing(secret)).resolves.toBe('ok');
  });

  it.each([
    [0, 60],
    [31, 720],
    [30, 721],
    [20, 10],
    [1.5, 60],
  ])('refuses %p idle of %p minutes', async (idle, absolute) => {
    await expect(fixture.codeOf(setPolicy(idle, absolute))).resolves.toBe('invalid_session_policy');
  });
});

describe('secrets of sessions (ASVS 7.2.2, 11.5.1)', () => {
  it('are 256 bits, and no document holds one', async () => {
    const first = await fixture.start(person.email);
    const full = await fixture.confirm(first.secret, fixture.code(person));
    for (const { secret } of [first, full]) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const sessions = await fixture.stores.documents.open({
      name: 'sessions',
      indexes: { by_end: ['expires_at', 'id'] },
    });
    const stored = await sessions.list({ index: 'by_end', equals: {}, limit: 1_000 });
    expect(stored.length).toBeGreaterThan(1);
    const text = JSON.stringify(stored);
    for (const { secret } of [first, full]) expect(text).not.toContain(secret);
  });

  it('are not made by a failing source of randomness (rng_failure)', async () => {
    const bytes = () => {
      throw refuse('rng_failure');
    };
    fixture.entropy = { bytes };
    try {
      await expect(fixture.codeOf(fixture.start(person.email))).resolves.toBe('rng_failure');
    } finally {
      fixture.entropy = fixture.stores;
    }
  });
});
