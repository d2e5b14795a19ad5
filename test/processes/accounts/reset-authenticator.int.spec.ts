import { generateSync } from 'otplib';
import {
  OfferPasskeyRegistration,
  OfferPasskeySignIn,
} from '../../../src/modules/passkeys/commands/offer-passkey.command';
import { RegisterPasskey } from '../../../src/modules/passkeys/commands/own-passkeys.command';
import { SignInByPasskey } from '../../../src/modules/sessions/commands/sign-in.command';
import { EnrolTotp, MakeRecoveryCodes, OfferTotp } from '../../../src/modules/users/commands/own-account.command';
import { ResetAuthenticator } from '../../../src/modules/users/commands/manage-users.command';
import { SoftwareAuthenticator } from '../../support/software-authenticator';
import { HOME, SignInFixture, STEP_MS, type PersonOf } from '../sign-in/sign-in-fixture';

let fixture: SignInFixture;
let person: PersonOf;

beforeAll(async () => {
  fixture = await SignInFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  person = await fixture.person();
});

const reset = (context = fixture.stores.context('platform', person.merchantId)) =>
  fixture.run(new ResetAuthenticator(person.userId, 'A lost telephone.', context));

async function register(authenticator: SoftwareAuthenticator, of = person): Promise<void> {
  const user = await fixture.passkeyUser(of);
  const credential = authenticator.create((await fixture.run(new OfferPasskeyRegistration(user))) as never);
  await fixture.run(new RegisterPasskey(of.userId, credential, 'Laptop', fixture.context(of)));
}

it('ends every session, and the next sign-in by the password enrols anew (ASVS 6.4.4)', async () => {
  const full = await fixture.signIn(person);
  fixture.pass(STEP_MS);
  const underWay = await fixture.start(person.email);
  await fixture.run(new MakeRecoveryCodes(person.userId, fixture.context(person)));
  const formerCode = fixture.code(person);
  await reset();
  await expect(fixture.standing(full.secret)).resolves.toBe('session_revoked');
  await expect(fixture.codeOf(fixture.confirm(underWay.secret, formerCode))).resolves.toBe('session_revoked');

  const next = await fixture.start(person.email);
  expect(next.stage).toBe('enrolment');
  await fixture.refusalOf(fixture.confirm(next.secret, formerCode));
  const holder = { userId: person.userId, sessionId: (await fixture.authenticate(next.secret)).sessionId };
  const { secret } = await fixture.run(new OfferTotp(holder, 'Tea House', fixture.context(person)));
  const code = generateSync({ secret, epoch: fixture.nowMs / 1_000 });
  const { recoveryCodes } = await fixture.run(new EnrolTotp(holder, code, fixture.context(person)));
  expect(recoveryCodes).toHaveLength(10);
  const again = await fixture.signIn({ ...person, secret });
  expect(again.stage).toBe('full');
});

it('ends the passkeys, whose credentials another person may register', async () => {
  const authenticator = new SoftwareAuthenticator('https://pay.example', 'pay.example');
  await register(authenticator);
  await reset();
  const answer = authenticator.get((await fixture.run(new OfferPasskeySignIn('merchant', HOME.ip))) as never);
  await expect(fixture.codeOf(fixture.run(new SignInByPasskey(answer, HOME, fixture.requestId())))).resolves.toBe(
    'passkey_rejected',
  );
  await register(authenticator, await fixture.person());
});

it('is nothing that another account can ask for', async () => {
  const { merchantId } = await fixture.person();
  const full = await fixture.signIn(person);
  const foreign = reset(fixture.stores.context('platform', merchantId));
  await expect(fixture.codeOf(foreign)).resolves.toBe('resource_missing');
  await expect(fixture.standing(full.secret)).resolves.toBe('ok');
});
