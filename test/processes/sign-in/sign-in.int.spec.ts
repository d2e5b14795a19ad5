import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/kernel/clock';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { ChangeRole, DisableUser, InviteUser } from '../../../src/modules/users/commands/manage-users.command';
import { AcceptInvitation } from '../../../src/modules/users/commands/sign-up.command';
import { EnrolTotp, MakeRecoveryCodes, OfferTotp } from '../../../src/modules/users/commands/own-account.command';
import { FinishEnrolment, RecoverSignIn } from '../../../src/modules/sessions/commands/sign-in.command';
import { MAX_REFUSALS_A_DAY } from '../../../src/modules/sessions/sign-in-refusals.decider';
import { checkSignedIn } from '../../../src/modules/sessions/signed-in-session';
import { Passwords } from '../../../src/modules/users/password';
import type { SessionStarted } from '../../../src/modules/sessions/session.events';
import { HOME, PASSWORD, SignInFixture, STEP_MS } from './sign-in-fixture';

const WRONG = 'another long password';
const STRANGER = { ip: '198.51.100.20', userAgent: 'curl/8' };

const holderOf = ({ userId }: { readonly userId: string }, sessionId = 'ses_1') => ({ userId, sessionId });

let fixture: SignInFixture;
let person: Awaited<ReturnType<SignInFixture['person']>>;

beforeAll(async () => {
  fixture = await SignInFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  person = await fixture.person();
});

async function refusals(): Promise<readonly string[]> {
  await fixture.recorded();
  const day = new Date(fixture.nowMs).toISOString().slice(0, 10);
  return fixture.stores.eventTypes('platform', 'sign_in_refusals', `${person.userId}:${day}`);
}

describe('a wrong pair (ASVS 6.3.1, 6.3.8)', () => {
  it.each([
    ['of another password', () => person.email, WRONG],
    ['of an address without a user', () => 'nobody@example.com', PASSWORD],
    ['of no address', () => '', PASSWORD],
    ['of a password that is longer than any', () => person.email, 'x'.repeat(5_000)],
  ])('%s is invalid_credentials', async (_, email, password) => {
    const refusal = await fixture.refusalOf(fixture.start(email(), password));
    expect(refusal).toMatchObject({ code: 'invalid_credentials', param: null });
  });

  it('costs one hash, whether the address has a user or none', async () => {
    const [matches, matchNone] = [
      jest.spyOn(Passwords.prototype, 'matches'),
      jest.spyOn(Passwords.prototype, 'matchNone'),
    ];
    await fixture.codeOf(fixture.start(person.email, WRONG));
    expect([matches.mock.calls.length, matchNone.mock.calls.length]).toEqual([1, 0]);
    await fixture.codeOf(fixture.start('nobody-else@example.com', WRONG));
    expect([matches.mock.calls.length, matchNone.mock.calls.length]).toEqual([1, 1]);
    jest.restoreAllMocks();
  });

  it('is recorded for a user, behind the answer and without the address', async () => {
    await fixture.codeOf(fixture.start(person.email, WRONG, STRANGER));
    await expect(refusals()).resolves.toEqual(['SignInRefused']);
    const day = new Date(fixture.nowMs).toISOString().slice(0, 10);
    const stream = `platform.sign_in_refusals-${person.userId}:${day}`;
    const [event] = await fixture.stores.store.readStream(stream);
    expect(event).toMatchObject({
      data: { reason: 'password' },
      metadata: {
        actor: { role: 'merchant', type: 'system', id: 'sign_in' },
        merchant_id: person.merchantId,
        ip: STRANGER.ip,
      },
    });
  });

  it('is slowed by its network after five tries, with a true Retry-After (ASVS 6.3.1)', async () => {
    for (let count = 0; count < 5; count++)
      await expect(fixture.codeOf(fixture.start(person.email, WRONG, STRANGER))).resolves.toBe('invalid_credentials');
    const slowed = await fixture.refusalOf(fixture.start(person.email, WRONG, STRANGER));
    expect(slowed).toMatchObject({ code: 'rate_limit', retryAfterSeconds: 30 });
    fixture.pass(29 * SECOND_MS);
    const waiting = await fixture.refusalOf(fixture.start(person.email, WRONG, STRANGER));
    expect(waiting).toMatchObject({ code: 'rate_limit', retryAfterSeconds: 1 });
    fixture.pass(SECOND_MS);
    await expect(fixture.codeOf(fixture.start(person.email, WRONG, STRANGER))).resolves.toBe('invalid_credentials');
    await expect(fixture.codeOf(fixture.start(person.email, WRONG, STRANGER))).resolves.toBe('rate_limit');
  });

  it('is slowed alike for an address without a user', async () => {
    const outcomes = [];
    for (let count = 0; count < 6; count++)
      outcomes.push(await fixture.codeOf(fixture.start('no-user@example.com', WRONG, STRANGER)));
    expect(outcomes).toEqual([...new Array<string>(5).fill('invalid_credentials'), 'rate_limit']);
  });

  it('counts for tries at once', async () => {
    const tries = Array.from({ length: 20 }, () => fixture.codeOf(fixture.start(person.email, WRONG, STRANGER)));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter(code => code === 'invalid_credentials')).toHaveLength(5);
  });

  it('is forgotten by a network after an hour, and after a whole sign-in', async () => {
    const fail = () => fixture.codeOf(fixture.start(person.email, WRONG, STRANGER));
    for (let count = 0; count < 5; count++) await fail();
    fixture.pass(HOUR_MS);
    for (let count = 0; count < 4; count++) await fail();
    await fixture.signIn(person, STRANGER);
    for (let count = 0; count < 5; count++) await expect(fail()).resolves.toBe('invalid_credentials');
  });
});

describe('a clock that is set back by a day', () => {
  it('pauses no tries until the day has come again, and tells of refusals on both days', async () => {
    const fail = (client: typeof STRANGER) => fixture.codeOf(fixture.start(person.email, WRONG, client));
    const told = () => fixture.told.filter(({ userId }) => userId === person.userId);
    const failFrom = async (networks: readonly number[]) => {
      for (const network of networks)
        for (let count = 0; count < 5; count++) await fail({ ip: `198.18.${network}.1`, userAgent: 'curl/8' });
      await fixture.recorded();
    };
    for (let count = 0; count < 6; count++) await fail(STRANGER);
    await expect(fail(STRANGER)).resolves.toBe('rate_limit');
    await failFrom([1, 2, 3, 4]);
    expect(told()).toHaveLength(1);
    fixture.pass(-DAY_MS);
    await expect(fail(STRANGER)).resolves.toBe('invalid_credentials');
    await expect(fixture.signIn(person, STRANGER)).resolves.toMatchObject({ stage: 'full' });
    await failFrom([1, 2, 3, 4]);
    expect(told()).toHaveLength(2);
  });
});

it('takes an address in whatever way its accents were typed', async () => {
  const { email } = await fixture.person(`caf\u00e9-${person.userId}@example.com`);
  await expect(fixture.start(email.normalize('NFD'))).resolves.toMatchObject({ stage: 'code' });
});

describe('a hostile stranger (ASVS 6.3.1)', () => {
  it('who tries without end locks nobody out, and grows no log without end', async () => {
    for (let network = 0; network < 24; network++) {
      const client = { ip: `198.18.${network}.1`, userAgent: 'curl/8' };
      for (let count = 0; count < 6; count++) await fixture.codeOf(fixture.start(person.email, WRONG, client));
    }
    // The user's own network was never refused.
    await expect(fixture.signIn(person)).resolves.toMatchObject({ stage: 'full' });
    await expect(refusals()).resolves.toHaveLength(MAX_REFUSALS_A_DAY);
  });

  it('is told of by e-mail at twenty refusals within an hour, once an hour', async () => {
    const told = () => fixture.told.filter(({ userId }) => userId === person.userId);
    const failFrom = async (block: number, networks: number) => {
      for (let network = 0; network < networks; network++) {
        const client = { ip: `198.19.${block + network}.1`, userAgent: 'curl/8' };
        for (let count = 0; count < 5; count++) await fixture.codeOf(fixture.start(person.email, WRONG, client));
      }
      await fixture.recorded();
    };
    await failFrom(0, 3);
    expect(told()).toEqual([]);
    await failFrom(10, 3);
    expect(told()).toMatchObject([{ email: person.email, merchantId: person.merchantId, refusals: 20 }]);
    fixture.pass(HOUR_MS);
    await failFrom(20, 5);
    expect(told()).toHaveLength(2);
  });
});

describe('the second factor (ASVS 6.3.3, 6.5.1, 6.5.5)', () => {
  it('is needed for everything: the first step alone opens nothing', async () => {
    const { secret } = await fixture.start(person.email);
    const signedIn = await fixture.authenticate(secret);
    expect(() => checkSignedIn(signedIn)).toThrow(expect.objectContaining({ code: 'mfa_required' }));
    expect(() => checkSignedIn({ stage: 'enrolment' })).toThrow(
      expect.objectContaining({ code: 'mfa_required', message: 'Enrol an authenticator app first.' }),
    );
    expect(() => checkSignedIn({ stage: 'choice' })).toThrow(expect.objectContaining({ code: 'too_many_sessions' }));
    expect(() => checkSignedIn({ stage: 'full' })).not.toThrow();
  });

  it('is refused where it is missing, wrong or used before', async () => {
    const first = await fixture.signIn(person);
    const used = fixture.code(person);
    const { secret } = await fixture.start(person.email);
    await expect(fixture.codeOf(fixture.confirm(secret, ''))).resolves.toBe('mfa_required');
    await expect(fixture.codeOf(fixture.confirm(secret, '000000'))).resolves.toBe('mfa_proof_invalid');
    await expect(fixture.codeOf(fixture.confirm(secret, used))).resolves.toBe('mfa_proof_invalid');
    await expect(fixture.standing(first.secret)).resolves.toBe('ok');
    await expect(refusals()).resolves.toHaveLength(2);
  });

  it('is slowed with the password: right passwords buy no further codes', async () => {
    const outcomes = [];
    for (let count = 0; count < 6; count++) {
      const { secret } = await fixture.start(person.email, PASSWORD, STRANGER).catch(() => ({ secret: '' }));
      outcomes.push(secret === '' ? 'rate_limit' : await fixture.codeOf(fixture.confirm(secret, '000000', STRANGER)));
    }
    expect(outcomes).toEqual([...new Array<string>(5).fill('mfa_proof_invalid'), 'rate_limit']);
  });

  it('must be shown within ten minutes, and to its own step', async () => {
    const { secret } = await fixture.start(person.email);
    fixture.pass(10 * 60 * SECOND_MS);
    await expect(fixture.codeOf(fixture.confirm(secret, fixture.code(person)))).resolves.toBe('session_expired');
    const full = await fixture.signIn(person);
    fixture.pass(STEP_MS);
    await expect(fixture.codeOf(fixture.confirm(full.secret, fixture.code(person)))).resolves.toBe('unknown_session');
  });
});

describe('a recovery code (ASVS 6.5.1)', () => {
  it('permits a new enrolment alone, after which the session is full', async () => {
    const { recoveryCodes } = await fixture.run(new MakeRecoveryCodes(person.userId, fixture.context(person)));
    const [code = ''] = recoveryCodes;
    const recover = async (secret: string) =>
      fixture.run(new RecoverSignIn(await fixture.openSession(secret), code, HOME, fixture.requestId()));
    const { secret } = await fixture.start(person.email);
    const recovered = await recover(secret);
    expect(recovered).toMatchObject({ stage: 'enrolment' });
    const open = await fixture.openSession(recovered.secret);
    const finish = () => fixture.run(new FinishEnrolment(open, HOME, fixture.requestId()));
    await expect(fixture.codeOf(finish())).resolves.toBe('mfa_required');
    const offer = await fixture.run(new OfferTotp(holderOf(person), 'Tea House', fixture.context(person)));
    const shown = fixture.code({ secret: offer.secret });
    fixture.pass(1);
    await fixture.run(new EnrolTotp(holderOf(person), shown, fixture.context(person)));
    const full = await finish();
    expect(full).toMatchObject({ stage: 'full' });
    await expect(fixture.standing(recovered.secret)).resolves.toBe('session_revoked');
    await expect(fixture.authenticate(full.secret)).resolves.toMatchObject({ method: 'recovery_code' });
    const again = await fixture.start(person.email);
    await expect(fixture.codeOf(recover(again.secret))).resolves.toBe('mfa_proof_invalid');
  });
});

it('an enrolment that a password began ends once the person has enrolled, and takes nothing over', async () => {
  const email = `enrolling-${person.userId}@example.com`;
  const { userId } = await fixture.run(new InviteUser(email, 'finance', fixture.context(person)));
  const letter = fixture.letters.at(-1);
  const token = letter?.kind === 'invitation' ? letter.token : '';
  await fixture.run(new AcceptInvitation(token, 'Ada', PASSWORD, fixture.stores.context('platform', null)));
  const [own, thiefs] = [await fixture.start(email), await fixture.start(email)];
  fixture.pass(1);
  const context = (commandId: string) => ({
    ...fixture.context({ userId, merchantId: person.merchantId }),
    commandId,
  });
  const offered = async (sessionId: string) =>
    (await fixture.run(new OfferTotp(holderOf({ userId }, sessionId), 'Tea House', context('offer')))).secret;
  const enrolled = (sessionId: string, secret: string) =>
    fixture.run(new EnrolTotp(holderOf({ userId }, sessionId), fixture.code({ secret }), context(sessionId)));
  const open = await fixture.openSession(own.secret);
  const secrets = [await offered('ses_own'), await offered('ses_thief')] as const;
  expect(secrets[0]).not.toBe(secrets[1]);
  await enrolled('ses_own', secrets[0]);
  fixture.pass(STEP_MS);
  await expect(fixture.codeOf(enrolled('ses_thief', secrets[1]))).resolves.toBe('mfa_proof_invalid');
  await expect(fixture.standing(thiefs.secret)).resolves.toBe('session_revoked');
  const finished = await fixture.run(new FinishEnrolment(open, HOME, fixture.requestId()));
  expect(finished).toMatchObject({ stage: 'full' });
});

describe('people', () => {
  it('enrol first, lose a role with the next request, and their sessions when disabled (ASVS 7.4.2)', async () => {
    const email = `invited-${person.userId}@example.com`;
    const { userId } = await fixture.run(new InviteUser(email, 'finance', fixture.context(person)));
    const letter = fixture.letters.at(-1);
    const token = letter?.kind === 'invitation' ? letter.token : '';
    await expect(fixture.codeOf(fixture.start(email))).resolves.toBe('invalid_credentials');
    const stranger = fixture.stores.context('platform', null);
    await fixture.run(new AcceptInvitation(token, 'Ada', PASSWORD, stranger));
    const enrolment = await fixture.start(email);
    expect(enrolment).toMatchObject({ stage: 'enrolment' });
    const invited = { userId, merchantId: person.merchantId };
    const open = await fixture.openSession(enrolment.secret);
    const offer = await fixture.run(new OfferTotp(holderOf(invited), 'Tea House', fixture.context(invited)));
    fixture.pass(1);
    await fixture.run(
      new EnrolTotp(holderOf(invited), fixture.code({ secret: offer.secret }), fixture.context(invited)),
    );
    const { secret } = await fixture.run(new FinishEnrolment(open, HOME, fixture.requestId()));
    await expect(fixture.authenticate(secret)).resolves.toMatchObject({ name: 'Ada', role: 'finance', stage: 'full' });
    await fixture.run(new ChangeRole(userId, 'viewer', fixture.context(person)));
    await expect(fixture.authenticate(secret)).resolves.toMatchObject({ role: 'viewer' });
    await fixture.run(new DisableUser(userId, fixture.context(person)));
    await expect(fixture.standing(secret)).resolves.toBe('session_revoked');
    await expect(fixture.codeOf(fixture.start(email))).resolves.toBe('account_disabled');
    await expect(fixture.codeOf(fixture.start(email, WRONG))).resolves.toBe('invalid_credentials');
  });

  it('are told of a sign-in from a place that was not seen within 90 days (ASVS 6.3.5)', async () => {
    const isNew = async (client = HOME) => {
      const { secret } = await fixture.signIn(person, client);
      const { sessionId } = await fixture.authenticate(secret, client);
      const [event] = await fixture.stores.store.readStream(`platform.session-${sessionId}`);
      return (event?.data as SessionStarted['data']).is_new_place;
    };
    await expect(isNew()).resolves.toBe(true);
    await expect(isNew({ ...HOME, ip: '203.0.113.99' })).resolves.toBe(false);
    await expect(isNew({ ...HOME, userAgent: 'Mozilla/5.0 Chrome/140.0 Safari/537.36' })).resolves.toBe(true);
    await expect(isNew({ ...HOME, ip: '203.0.114.7' })).resolves.toBe(true);
    fixture.pass(91 * DAY_MS);
    await expect(isNew()).resolves.toBe(true);
  });

  it('are told of a new place also where the log took no event of the first sign-in', async () => {
    const { store } = fixture.stores;
    const append = store.append.bind(store);
    store.append = async (stream, ...rest) => {
      if (stream.startsWith('platform.session-')) throw new StoreUnavailable('away');
      return append(stream, ...rest);
    };
    await expect(fixture.signIn(person)).rejects.toBeInstanceOf(StoreUnavailable);
    store.append = append;
    const { sessionId } = await fixture.authenticate((await fixture.signIn(person)).secret);
    const [event] = await store.readStream(`platform.session-${sessionId}`);
    expect(event?.data).toMatchObject({ is_new_place: true });
  });
});
