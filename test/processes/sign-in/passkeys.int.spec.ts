import { MINUTE_MS } from '../../../src/kernel/clock';
import { DisableMerchant } from '../../../src/modules/merchants/commands/disable-merchant.command';
import {
  OfferPasskeyRegistration,
  OfferPasskeySignIn,
} from '../../../src/modules/passkeys/commands/offer-passkey.command';
import { RegisterPasskey, RemovePasskey } from '../../../src/modules/passkeys/commands/own-passkeys.command';
import { credentialHash } from '../../../src/modules/passkeys/passkey-credential';
import { ListPasskeys } from '../../../src/modules/passkeys/queries/list-passkeys.query';
import { SignInByPasskey } from '../../../src/modules/sessions/commands/sign-in.command';
import { SoftwareAuthenticator, type Forgery } from '../../support/software-authenticator';
import { HOME, SignInFixture } from './sign-in-fixture';

const ORIGIN = 'https://pay.example';
const RP_ID = 'pay.example';

type Person = Awaited<ReturnType<SignInFixture['person']>>;

let fixture: SignInFixture;
let person: Person;

beforeAll(async () => {
  fixture = await SignInFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  person = await fixture.person();
});

async function offer(of: Person | null = null) {
  const options = await fixture.run(
    of === null
      ? new OfferPasskeySignIn('merchant', HOME.ip)
      : new OfferPasskeyRegistration(await fixture.passkeyUser(of)),
  );
  return options as unknown as { readonly challenge: string; readonly user: { readonly id: string } };
}

async function register(authenticator: SoftwareAuthenticator, of = person, forgery: Forgery = {}) {
  const credential = authenticator.create(await offer(of), forgery);
  return fixture.run(new RegisterPasskey(of.userId, credential, 'Laptop', fixture.context(of)));
}

async function listed() {
  const { passkeys } = await fixture.passkeyUser(person);
  return fixture.ask(new ListPasskeys(passkeys));
}

async function registered(of = person, counts = true): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(ORIGIN, RP_ID, counts);
  await register(authenticator, of);
  return authenticator;
}

async function signIn(authenticator: SoftwareAuthenticator, forgery: Forgery = {}) {
  return signInWith(authenticator.get(await offer(), forgery));
}

function signInWith(credential: unknown) {
  return fixture.run(new SignInByPasskey(credential, HOME, fixture.requestId()));
}

/** The code of the refusal, with the failed check. */
async function outcome(running: Promise<unknown>): Promise<string> {
  const { code, detail } = await fixture.refusalOf(running);
  return detail === null ? code : `${code}: ${detail.reason}`;
}

describe('a passkey (ASVS 6.7.2)', () => {
  it('is registered, signs in with both factors, and is listed', async () => {
    const options = await fixture.run(new OfferPasskeyRegistration(await fixture.passkeyUser(person)));
    expect(options).toMatchObject({
      rp: { id: RP_ID },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    expect(Buffer.from(String(options.challenge), 'base64url').length).toBeGreaterThanOrEqual(16);
    const authenticator = await registered();
    const signInOptions = await fixture.run(new OfferPasskeySignIn('merchant', HOME.ip));
    expect(signInOptions).toMatchObject({ rpId: RP_ID, userVerification: 'required', allowCredentials: [] });
    const given = await signIn(authenticator);
    expect(given).toMatchObject({ stage: 'full' });
    await expect(fixture.authenticate(given.secret)).resolves.toMatchObject({
      userId: person.userId,
      method: 'passkey',
    });
    const at = new Date(fixture.nowMs).toISOString();
    await expect(listed()).resolves.toEqual([
      { id: expect.stringMatching(/^psk_/), name: 'Laptop', created: at, last_used_at: at },
    ]);
    const next = await fixture.run(new OfferPasskeyRegistration(await fixture.passkeyUser(person)));
    expect(next.excludeCredentials).toEqual([{ type: 'public-key', id: authenticator.id }]);
  });

  it('of a synchronised kind counts nothing', async () => {
    const authenticator = await registered(person, false);
    await expect(signIn(authenticator)).resolves.toMatchObject({ stage: 'full' });
    await expect(signIn(authenticator)).resolves.toMatchObject({ stage: 'full' });
  });

  it('has one owner at a time, with one answer whoever the owner is (passkey_already_registered)', async () => {
    const authenticator = await registered();
    const other = await fixture.person();
    await expect(outcome(register(authenticator))).resolves.toBe('passkey_already_registered');
    await expect(outcome(register(authenticator, other))).resolves.toBe('passkey_already_registered');
    const [passkey] = await listed();
    const remove = (of: Person) => fixture.run(new RemovePasskey(of.userId, passkey?.id ?? '', fixture.context(of)));
    await expect(outcome(remove(other))).resolves.toBe('unknown_passkey');
    await remove(person);
    await expect(outcome(remove(person))).resolves.toBe('unknown_passkey');
    await expect(outcome(signIn(authenticator))).resolves.toBe('passkey_rejected: unknown_credential');
    await register(authenticator, other);
    const { secret } = await signIn(authenticator);
    await expect(fixture.authenticate(secret)).resolves.toMatchObject({ userId: other.userId });
  });

  it('is one of ten at most (too_many_passkeys)', async () => {
    for (let count = 0; count < 10; count++) await registered(person, false);
    await expect(outcome(registered())).resolves.toBe('too_many_passkeys');
  });

  it('signs nobody in to a disabled account', async () => {
    const authenticator = await registered();
    await fixture.run(new DisableMerchant('reported', fixture.context(person)));
    await expect(outcome(signIn(authenticator))).resolves.toBe('account_disabled');
  });
});

describe('a forged registration (ASVS 6.7.2)', () => {
  it.each<[string, Forgery, string]>([
    ['of another origin', { origin: 'https://pay.example.evil' }, 'passkey_rejected: origin_mismatch'],
    ['in a frame of another origin', { crossOrigin: true }, 'passkey_rejected: origin_mismatch'],
    ['for another party', { rpId: 'evil.example' }, 'passkey_rejected: rp_id_mismatch'],
    ['of a challenge that was never given', { challenge: 'A'.repeat(43) }, 'passkey_rejected: challenge_stale'],
    ['without the user', { isUserPresent: false }, 'passkey_rejected: user_not_present'],
    ['without verification', { isUserVerified: false }, 'passkey_rejected: user_not_verified'],
    ['of an algorithm nobody asked for', { algorithm: -47 }, 'passkey_rejected: unsupported_algorithm'],
    ['with an attestation of a maker', { format: 'tpm' }, 'passkey_rejected: unsupported_attestation'],
    ['of the other ceremony', { type: 'webauthn.get' }, 'passkey_malformed'],
    ['of another id', { id: 'AAAA' }, 'passkey_malformed'],
  ])('%s', async (_, forgery, expected) => {
    const running = register(new SoftwareAuthenticator(ORIGIN, RP_ID), person, forgery);
    await expect(outcome(running)).resolves.toBe(expected);
    await expect(listed()).resolves.toEqual([]);
  });

  it('of a challenge of somebody else', async () => {
    const other = await fixture.person();
    const credential = new SoftwareAuthenticator(ORIGIN, RP_ID).create(await offer(other));
    const running = fixture.run(new RegisterPasskey(person.userId, credential, 'Laptop', fixture.context(person)));
    await expect(outcome(running)).resolves.toBe('passkey_rejected: challenge_mismatch');
  });
});

describe('a forged assertion (ASVS 6.7.2)', () => {
  it.each<[string, Forgery, string]>([
    ['of another origin', { origin: 'http://pay.example' }, 'passkey_rejected: origin_mismatch'],
    ['for another party', { rpId: 'evil.example' }, 'passkey_rejected: rp_id_mismatch'],
    ['of a challenge that was never given', { challenge: 'A'.repeat(43) }, 'passkey_rejected: challenge_stale'],
    ['without the user', { isUserPresent: false }, 'passkey_rejected: user_not_present'],
    ['without verification', { isUserVerified: false }, 'passkey_rejected: user_not_verified'],
    ['with a bad signature', { breaksSignature: true }, 'passkey_rejected: signature_invalid'],
    ['of a credential that nobody registered', { id: 'AAAA' }, 'passkey_rejected: unknown_credential'],
    ['that names another user', { userHandle: 'dXNyX290aGVy' }, 'passkey_rejected: user_mismatch'],
    ['of the other ceremony', { type: 'webauthn.create' }, 'passkey_malformed'],
  ])('%s', async (_, forgery, expected) => {
    const authenticator = await registered();
    await expect(outcome(signIn(authenticator, forgery))).resolves.toBe(expected);
  });

  it("by one's own authenticator for another's passkey", async () => {
    const [own, other] = [await registered(), await registered(await fixture.person())];
    const forgery = { id: other.id, userHandle: null };
    await expect(outcome(signIn(own, forgery))).resolves.toBe('passkey_rejected: signature_invalid');
  });

  it('that was shown before, or comes late', async () => {
    const authenticator = await registered();
    const credential = authenticator.get(await offer());
    await signInWith(credential);
    await expect(outcome(signInWith(credential))).resolves.toBe('passkey_rejected: challenge_stale');
    const late = authenticator.get(await offer());
    fixture.pass(5 * MINUTE_MS);
    await expect(outcome(signInWith(late))).resolves.toBe('passkey_rejected: challenge_stale');
    const wrongPurpose = authenticator.get(await offer(person));
    await expect(outcome(signInWith(wrongPurpose))).resolves.toBe('passkey_rejected: challenge_mismatch');
  });

  it('of a copied authenticator, whose counter goes back, is recorded', async () => {
    const authenticator = await registered();
    await signIn(authenticator, { counter: 7 });
    await expect(outcome(signIn(authenticator, { counter: 7 }))).resolves.toBe('passkey_rejected: counter_regressed');
    await expect(outcome(signIn(authenticator, { counter: 0 }))).resolves.toBe('passkey_rejected: counter_regressed');
    await expect(signIn(authenticator, { counter: 8 })).resolves.toMatchObject({ stage: 'full' });
    const types = await fixture.stores.eventTypes('platform', 'passkey', credentialHash(authenticator.id));
    expect(types).toEqual(['PasskeyRegistered', 'PasskeyCounterRegressed', 'PasskeyCounterRegressed']);
    await fixture.recorded();
    const day = new Date(fixture.nowMs).toISOString().slice(0, 10);
    const refusals = await fixture.stores.eventTypes('platform', 'sign_in_refusals', `${person.userId}:${day}`);
    expect(refusals).toHaveLength(2);
  });

  it.each([null, 'text', {}, { id: 'a', rawId: 'a', type: 'public-key', response: {} }])(
    '%j is malformed',
    async body => {
      await expect(outcome(signInWith(body))).resolves.toBe('passkey_malformed');
    },
  );
});

it('has no passkeys where the dashboard is on an IP address (passkeys_not_configured)', async () => {
  const local = await SignInFixture.open('http://127.0.0.1:8080/dashboard');
  await expect(local.codeOf(local.run(new OfferPasskeySignIn('merchant', HOME.ip)))).resolves.toBe(
    'passkeys_not_configured',
  );
  await local.close();
});
