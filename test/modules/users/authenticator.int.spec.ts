import { generateSync } from 'otplib';
import { DisableUser } from '../../../src/modules/users/commands/manage-users.command';
import {
  EnrolTotp,
  MakeRecoveryCodes,
  OfferTotp,
  UseRecoveryCode,
} from '../../../src/modules/users/commands/own-account.command';
import { recoveryCodeHash } from '../../../src/modules/users/recovery-codes';
import { OTHER_MERCHANT } from '../merchants/identity-fixture';
import { member, openedAccount, outcomeOf, OWNER, PeopleFixture, type People } from './people-fixture';

const MINUTE_MS = 60_000;
const sessionId = 'ses_1';

let people: People;
let merchantId: string;
let userId: string;
beforeEach(async () => {
  await renew();
});

async function renew(): Promise<void> {
  people = await PeopleFixture.open();
  ({ merchantId, userId } = await openedAccount(people));
}

const by = () => people.fixture.by(merchantId, userId);
const offer = (label = 'Tea House', context = by()) =>
  people.offerTotp.execute(new OfferTotp({ userId, sessionId }, label, context));
const enrol = (code: string, context = by()) =>
  people.enrolTotp.execute(new EnrolTotp({ userId, sessionId }, code, context));
const codeOf = (secret: string) => generateSync({ secret, epoch: people.fixture.nowMs / 1_000 });
const use = (code: string, context = by()) =>
  people.useRecoveryCode.execute(new UseRecoveryCode(userId, code, context));

async function enrolled(): Promise<readonly string[]> {
  const { secret } = await offer();
  return (await enrol(codeOf(secret))).recoveryCodes;
}

describe('an authenticator', () => {
  it('is offered the same secret for ten minutes', async () => {
    const first = await offer();
    expect(first.uri).toBe(`otpauth://totp/Quittance:Tea%20House?secret=${first.secret}&issuer=Quittance`);
    people.fixture.nowMs += 10 * MINUTE_MS - 1;
    expect((await offer()).secret).toBe(first.secret);
    people.fixture.nowMs += 1;
    expect((await offer()).secret).not.toBe(first.secret);
    expect(await outcomeOf(offer('Tea: House'))).toBe('invalid_otpauth_label label');
    expect(await outcomeOf(offer('Tea House', people.fixture.by(OTHER_MERCHANT)))).toBe('resource_missing');
  });

  it('is enrolled by its first code, which serves nothing else', async () => {
    const { fixture, verifier } = people;
    const { secret } = await offer();
    const code = codeOf(secret);
    const verify = () =>
      verifier.verify({ merchantId, userId, keyId: 'key_1', action: 'wallet.create', code, commandId: 'c1' });
    expect(await outcomeOf(verify())).toBe('mfa_proof_invalid');
    const { recoveryCodes } = await enrol(code);
    expect(recoveryCodes).toHaveLength(10);
    for (const shown of recoveryCodes) expect(shown).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await fixture.user(OWNER))?.body).toMatchObject({
      totp_enrolled_at: '2026-11-01T12:00:00.000Z',
      shows_codes: true,
      recovery_codes_left: 10,
    });
    expect(await outcomeOf(verify())).toBe('mfa_proof_invalid');
    fixture.nowMs += MINUTE_MS;
    const later = { merchantId, userId: null, keyId: 'key_1', action: 'wallet.create', commandId: 'c2' };
    expect(await verifier.verify({ ...later, code: codeOf(secret) })).toMatchObject({ userId });
  });

  it('refuses codes of nothing, wrong codes, and all codes after ten wrong ones', async () => {
    expect(await outcomeOf(enrol('123456'))).toBe('mfa_proof_invalid');
    const { secret } = await offer();
    const wrong = codeOf(secret) === '000000' ? '000001' : '000000';
    for (let index = 0; index < 10; index++) expect(await outcomeOf(enrol(wrong))).toBe('mfa_proof_invalid');
    expect(await outcomeOf(enrol(codeOf(secret)))).toBe('rate_limit');
    people.fixture.nowMs += 10 * MINUTE_MS;
    expect(await outcomeOf(enrolled())).toBe('done');
  });

  it('is enrolled after any crash, with the same recovery codes', async () => {
    for (let effects = 1; ; effects++) {
      await renew();
      const { fixture } = people;
      const code = codeOf((await offer()).secret);
      const context = by();
      const isDead = await fixture.diesAfter(effects, () => enrol(code, context));
      const { recoveryCodes } = await enrol(code, context);
      expect((await enrol(code, context)).recoveryCodes).toEqual(recoveryCodes);
      const types = await fixture.eventTypes('platform', 'user', userId);
      expect(types).toEqual(['UserSignedUp', 'TotpEnrolled', 'RecoveryCodesMade']);
      expect(await outcomeOf(use(recoveryCodes[0] ?? ''))).toBe('done');
      if (!isDead) break;
    }
  });

  it('ends its offer, also where a wrong code is counted meanwhile', async () => {
    const { store, documents } = people.fixture;
    const code = codeOf((await offer()).secret);
    const wrong = code === '000000' ? '000001' : '000000';
    const append = store.append.bind(store);
    store.append = async (...args) => {
      store.append = append;
      expect(await outcomeOf(enrol(wrong))).toBe('mfa_proof_invalid');
      return append(...args);
    };
    expect(await outcomeOf(enrol(code))).toBe('done');
    const offers = await documents.open({ name: 'totp_offers', indexes: { by_end: ['expires_at', 'id'] } });
    expect(await offers.count()).toBe(0);
  });

  it('counts no more while its user is disabled', async () => {
    const { fixture, verifier, disableUser } = people;
    const { secret } = await offer();
    await enrol(codeOf(secret));
    await member(people, merchantId, 'books@example.com', 'owner');
    await disableUser.execute(new DisableUser(userId, by()));
    fixture.nowMs += MINUTE_MS;
    const shown = { merchantId, keyId: 'key_1', action: 'wallet.create', code: codeOf(secret), commandId: 'c1' };
    expect(await outcomeOf(verifier.verify({ ...shown, userId }))).toBe('mfa_proof_invalid');
    expect(await outcomeOf(verifier.verify({ ...shown, userId: null }))).toBe('mfa_required');
  });
});

describe('recovery codes', () => {
  it('are taken as people type them', () => {
    expect(recoveryCodeHash('7k2m-oqxa-93bt-v5wc')).toBe(recoveryCodeHash('7K2M 0QXA 93BT V5WC'));
    expect(recoveryCodeHash('ilmn-0000-0000-0000')).toBe(recoveryCodeHash('11MN000000000000'));
    for (const text of ['', '7K2M-0QXA-93BT', '7K2M-0QXA-93BT-V5WU']) expect(recoveryCodeHash(text)).toBeNull();
  });

  it('are good once each, also where fifty uses come at once', async () => {
    const [first = '', second = ''] = await enrolled();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(use(first))));
    expect(outcomes.filter(outcome => outcome === 'done')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'mfa_proof_invalid']));
    expect((await people.fixture.user(OWNER))?.body.recovery_codes_left).toBe(9);
    expect(await outcomeOf(use(second, people.fixture.by(OTHER_MERCHANT)))).toBe('resource_missing');
    expect(await outcomeOf(use('no code'))).toBe('mfa_proof_invalid');
  });

  it('come anew after a recovery, and when they are asked for', async () => {
    const [first = '', second = ''] = await enrolled();
    people.fixture.nowMs += MINUTE_MS;
    expect(await enrolled()).toEqual([]);
    await use(first);
    people.fixture.nowMs += MINUTE_MS;
    const anew = await enrolled();
    expect(anew).toHaveLength(10);
    expect(await outcomeOf(use(second))).toBe('mfa_proof_invalid');
    const context = by();
    const make = () => people.makeRecoveryCodes.execute(new MakeRecoveryCodes(userId, context));
    const made = await make();
    expect(await make()).toEqual(made);
    expect(await outcomeOf(use(anew[1] ?? ''))).toBe('mfa_proof_invalid');
    expect(await outcomeOf(use(made.recoveryCodes[1] ?? ''))).toBe('done');
  });
});
