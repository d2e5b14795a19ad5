import { generateSync } from 'otplib';
import { isRefusal } from '../../../src/vocabulary/errors';
import { StoredUsers } from '../../../src/modules/merchants/stored-users';
import { newTotpSecret } from '../../../src/modules/merchants/totp';
import { TotpVerifier } from '../../../src/modules/merchants/totp-verifier';
import { userIdOfEmail, users } from '../../../src/modules/merchants/user.decider';
import { IdentityFixture, MERCHANT, NOON, OTHER_MERCHANT } from './identity-fixture';

const EMAIL = 'owner@example.com';
const STEP_MS = 30_000;
const DAY_MS = 86_400_000;

describe('one-time codes', () => {
  let fixture: IdentityFixture;
  let verifier: TotpVerifier;
  let secret: string;
  let commands = 0;

  async function enrol(email: string, merchantId = MERCHANT): Promise<string> {
    const enrolled = newTotpSecret(fixture);
    const user = {
      merchant_id: merchantId,
      email,
      password_hash: 'unused',
      totp_secret_sealed: fixture.secretBox.seal(enrolled, userIdOfEmail(email)),
    };
    const context = fixture.context('platform', merchantId);
    await fixture.writePath.execute(users, userIdOfEmail(email), { type: 'register', user }, context);
    return enrolled;
  }

  function codeAt(timeMs: number, of = secret): string {
    return generateSync({ secret: of, epoch: timeMs / 1_000 });
  }

  /** `accepted`, or the code of the refusal. */
  async function outcome(code: string | null, commandId = `c${++commands}`, userId: string | null = null) {
    try {
      await verifier.verify({ merchantId: MERCHANT, userId, code, commandId });
      return 'accepted';
    } catch (error) {
      if (isRefusal(error)) return error.code;
      throw error;
    }
  }

  function wrongCode(): string {
    const near = [-1, 0, 1].map(steps => codeAt(fixture.nowMs + steps * STEP_MS));
    return ['000000', '111111', '222222', '333333'].find(code => !near.includes(code)) as string;
  }

  beforeEach(async () => {
    fixture = new IdentityFixture();
    verifier = await TotpVerifier.open(fixture.documents, new StoredUsers(fixture), fixture.secretBox, fixture);
    secret = await enrol(EMAIL);
  });

  it('makes secrets of 160 bits in base32', () => {
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('takes the code of the current step and says whose it is', async () => {
    const proof = { merchantId: MERCHANT, userId: null, code: codeAt(NOON), commandId: 'c' };
    await expect(verifier.verify(proof)).resolves.toBe(userIdOfEmail(EMAIL));
  });

  it('takes three codes in a row without waiting, upward only', async () => {
    expect(await outcome(codeAt(NOON - STEP_MS))).toBe('accepted');
    expect(await outcome(codeAt(NOON))).toBe('accepted');
    expect(await outcome(codeAt(NOON + STEP_MS))).toBe('accepted');
    expect(await outcome(codeAt(NOON))).toBe('mfa_proof_invalid');
  });

  it('takes no step below one that was used', async () => {
    expect(await outcome(codeAt(NOON + STEP_MS))).toBe('accepted');
    expect(await outcome(codeAt(NOON))).toBe('mfa_proof_invalid');
  });

  it('takes no code two steps off', async () => {
    expect(await outcome(codeAt(NOON - 2 * STEP_MS))).toBe('mfa_proof_invalid');
    expect(await outcome(codeAt(NOON + 2 * STEP_MS))).toBe('mfa_proof_invalid');
  });

  it('takes a code twice from the same command only, also after the step is over and others followed', async () => {
    const code = codeAt(NOON);
    expect(await outcome(code, 'first')).toBe('accepted');
    expect(await outcome(code, 'second')).toBe('mfa_proof_invalid');
    expect(await outcome(codeAt(NOON + STEP_MS), 'third')).toBe('accepted');
    fixture.nowMs += 10 * STEP_MS;
    expect(await outcome(code, 'first')).toBe('accepted');
    expect(await outcome(code, 'second')).toBe('mfa_proof_invalid');
  });

  it('lets one of many commands have a code that they show at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(codeAt(NOON))));
    expect(outcomes.filter(result => result === 'accepted')).toHaveLength(1);
  });

  it('asks for a code where there is none', async () => {
    expect(await outcome(null)).toBe('mfa_required');
  });

  it.each(['', '12345', '1234567', '12345a', ' 12345', '١٢٣٤٥٦'])('refuses %j without counting it', async code => {
    for (let i = 0; i < 11; i++) expect(await outcome(code)).toBe('mfa_proof_invalid');
    expect(await outcome(codeAt(NOON))).toBe('accepted');
  });

  it('locks for a while after ten wrong codes in ten minutes, for right codes too', async () => {
    for (let i = 0; i < 10; i++) expect(await outcome(wrongCode())).toBe('mfa_proof_invalid');
    expect(await outcome(wrongCode())).toBe('rate_limit');
    expect(await outcome(codeAt(NOON))).toBe('rate_limit');
    fixture.nowMs += 10 * 60_000;
    expect(await outcome(codeAt(fixture.nowMs))).toBe('accepted');
  });

  it('counts wrong codes that come at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 14 }, () => outcome(wrongCode())));
    expect(outcomes.filter(result => result === 'mfa_proof_invalid')).toHaveLength(10);
    expect(outcomes.filter(result => result === 'rate_limit')).toHaveLength(4);
  });

  it('takes the next code after its clock was a day ahead and was set back', async () => {
    expect(await outcome(codeAt(NOON))).toBe('accepted');
    fixture.nowMs = NOON + DAY_MS;
    const ofTomorrow = codeAt(fixture.nowMs);
    expect(await outcome(ofTomorrow)).toBe('accepted');
    fixture.nowMs = NOON + STEP_MS;
    expect(await outcome(codeAt(NOON))).toBe('mfa_proof_invalid');
    expect(await outcome(codeAt(fixture.nowMs))).toBe('accepted');
    expect(await outcome(codeAt(fixture.nowMs))).toBe('mfa_proof_invalid');
    fixture.nowMs = NOON + DAY_MS;
    expect(await outcome(ofTomorrow)).toBe('mfa_proof_invalid');
    expect(await outcome(codeAt(fixture.nowMs + STEP_MS))).toBe('accepted');
  });

  it('counts no wrong codes of a time that lies ahead', async () => {
    fixture.nowMs = NOON + DAY_MS;
    for (let i = 0; i < 10; i++) expect(await outcome(wrongCode())).toBe('mfa_proof_invalid');
    fixture.nowMs = NOON;
    expect(await outcome(codeAt(NOON))).toBe('accepted');
  });

  it('asks whose code it is where several users have enrolled', async () => {
    const other = await enrol('second@example.com');
    expect(await outcome(codeAt(NOON))).toBe('mfa_required');
    expect(await outcome(codeAt(NOON), 'a', userIdOfEmail(EMAIL))).toBe('accepted');
    expect(await outcome(codeAt(NOON, other), 'b', userIdOfEmail('second@example.com'))).toBe('accepted');
    expect(await outcome(codeAt(NOON + STEP_MS, other), 'c', userIdOfEmail(EMAIL))).toBe('mfa_proof_invalid');
  });

  it("takes no code of another merchant's user, nor of nobody's", async () => {
    const foreign = await enrol('foreign@example.com', OTHER_MERCHANT);
    const foreignId = userIdOfEmail('foreign@example.com');
    expect(await outcome(codeAt(NOON, foreign), 'a', foreignId)).toBe('mfa_proof_invalid');
    expect(await outcome(codeAt(NOON), 'b', 'usr_00000000000000000000000000')).toBe('mfa_proof_invalid');
  });

  it('asks for enrolment where nobody has enrolled', async () => {
    const proof = { merchantId: OTHER_MERCHANT, userId: null, code: '123456', commandId: 'c' };
    await expect(verifier.verify(proof)).rejects.toMatchObject({ code: 'mfa_required' });
  });

  it('names a stored secret that cannot be opened', async () => {
    const email = 'moved@example.com';
    const sealed = fixture.secretBox.seal(secret, 'usr_of_another_record');
    const user = { merchant_id: MERCHANT, email, password_hash: 'unused', totp_secret_sealed: sealed };
    const context = fixture.context('platform');
    await fixture.writePath.execute(users, userIdOfEmail(email), { type: 'register', user }, context);
    expect(await outcome(codeAt(NOON), 'c', userIdOfEmail(email))).toBe('invalid_totp_secret');
  });
});
