import { generateSync } from 'otplib';
import { isRefusal, type Refusal } from '../../../src/vocabulary/errors';
import { StoredUsers } from '../../../src/modules/users/stored-users';
import { newTotpSecret } from '../../../src/modules/users/totp';
import { TotpVerifier } from '../../../src/modules/users/totp-verifier';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { users } from '../../../src/modules/users/user.decider';
import type { BarredCodes } from '../../../src/modules/users/wrong-codes';
import { IdentityFixture, MERCHANT, NOON, OTHER_MERCHANT } from '../merchants/identity-fixture';

const EMAIL = 'owner@example.com';
const OWN = { merchantId: MERCHANT, keyId: 'key_1', action: 'wallet.create', userId: null } as const;
const STEP_MS = 30_000;
const DAY_MS = 86_400_000;

describe('one-time codes', () => {
  let fixture: IdentityFixture;
  let verifier: TotpVerifier;
  let secret: string;
  let told: BarredCodes[];
  let commands = 0;

  async function enrol(email: string, merchantId = MERCHANT): Promise<string> {
    const enrolled = newTotpSecret(fixture);
    const user = {
      merchant_id: merchantId,
      email,
      password_hash: 'unused',
      totp_secret_sealed: await fixture.secretBox.seal(enrolled, userIdOfEmail(email)),
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
    return (await refusalOf({ code, commandId, userId }))?.code ?? 'accepted';
  }

  type Shown = Partial<Parameters<TotpVerifier['verify']>[0]>;

  async function refusalOf(shown: Shown): Promise<Refusal | null> {
    try {
      await verifier.verify({ ...OWN, code: null, commandId: `c${++commands}`, ...shown });
      return null;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  function wrongCode(): string {
    const near = [-1, 0, 1].map(steps => codeAt(fixture.nowMs + steps * STEP_MS));
    return ['000000', '111111', '222222', '333333'].find(code => !near.includes(code)) as string;
  }

  beforeEach(async () => {
    fixture = new IdentityFixture();
    told = [];
    const notice = { tell: (barred: BarredCodes) => Promise.resolve(void told.push(barred)) };
    const { documents, secretBox } = fixture;
    verifier = await TotpVerifier.open(documents, new StoredUsers(fixture), secretBox, fixture, notice);
    secret = await enrol(EMAIL);
  });

  it('makes secrets of 160 bits in base32', () => {
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('takes the code of the current step and says whose it is', async () => {
    const proof = { ...OWN, code: codeAt(NOON), commandId: 'c' };
    await expect(verifier.verify(proof)).resolves.toMatchObject({ userId: userIdOfEmail(EMAIL) });
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

  it('takes no code two steps off, by the clock of the service (ASVS 6.5.5, 6.5.8)', async () => {
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

  it('lets one of many commands have a code that they show at once (ASVS 6.5.1)', async () => {
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

  it('says when the next code is taken, to the second', async () => {
    for (let i = 0; i < 10; i++) {
      await outcome(wrongCode());
      fixture.nowMs += 7_000;
    }
    // The oldest of ten was sent 70 seconds ago.
    const refusal = await refusalOf({ code: wrongCode() });
    expect([refusal?.code, refusal?.retryAfterSeconds]).toEqual(['rate_limit', 530]);
    fixture.nowMs += 529_999;
    expect(await outcome(wrongCode())).toBe('rate_limit');
    fixture.nowMs += 1;
    expect(await outcome(codeAt(fixture.nowMs))).toBe('accepted');
  });

  it('bars no other key of the user for the wrong codes of one', async () => {
    for (let i = 0; i < 12; i++) await refusalOf({ code: wrongCode(), keyId: 'key_weak' });
    expect((await refusalOf({ code: codeAt(NOON), keyId: 'key_weak' }))?.code).toBe('rate_limit');
    expect(await outcome(codeAt(NOON))).toBe('accepted');
  });

  it('counts the wrong codes of a key for all users together', async () => {
    await enrol('second@example.com');
    const [one, other] = [userIdOfEmail(EMAIL), userIdOfEmail('second@example.com')];
    for (let i = 0; i < 5; i++) {
      expect((await refusalOf({ code: wrongCode(), userId: one }))?.code).toBe('mfa_proof_invalid');
      await refusalOf({ code: '000000', userId: other });
    }
    expect((await refusalOf({ code: wrongCode(), userId: one }))?.code).toBe('rate_limit');
  });

  it('bars every key of a user after fifty wrong codes, but not revoking with a right code', async () => {
    const weak = (count: number) => ({ code: wrongCode(), keyId: `key_${count % 5}` });
    for (let i = 0; i < 50; i++) expect((await refusalOf(weak(i)))?.code).toBe('mfa_proof_invalid');
    const revoke = { keyId: 'key_of_owner', action: 'api_key.revoke' };
    const barred = await refusalOf({ ...revoke, action: 'api_key.create', code: codeAt(NOON) });
    expect([barred?.code, barred?.retryAfterSeconds]).toEqual(['rate_limit', 600]);
    expect((await refusalOf({ ...revoke, code: wrongCode() }))?.code).toBe('mfa_proof_invalid');
    expect(await refusalOf({ ...revoke, code: codeAt(NOON) })).toBeNull();
    expect((await refusalOf({ ...revoke, code: codeAt(NOON) }))?.code).toBe('mfa_proof_invalid');
    expect(await refusalOf({ ...revoke, keyId: 'key_0', code: codeAt(NOON + STEP_MS) })).toBeNull();
  });

  describe('for the end of a key, while all others are barred', () => {
    const revoke = { action: 'api_key.revoke' } as const;
    const codesOf = async (count: number, shown: (index: number) => Shown) => {
      const codes = [];
      for (let i = 0; i < count; i++) codes.push((await refusalOf({ code: wrongCode(), ...shown(i) }))?.code);
      return [...new Set(codes)];
    };

    it('are refused after ten wrong ones of the key, and then the right one too', async () => {
      expect(await codesOf(10, () => ({}))).toEqual(['mfa_proof_invalid']);
      expect(await codesOf(10, () => revoke)).toEqual(['mfa_proof_invalid']);
      expect(await codesOf(50, () => revoke)).toEqual(['rate_limit']);
      expect((await refusalOf({ ...revoke, code: codeAt(NOON) }))?.code).toBe('rate_limit');
      // Another key of the owner ends the barred one.
      expect(await refusalOf({ ...revoke, keyId: 'key_of_owner', code: codeAt(NOON) })).toBeNull();
    });

    it('are refused for as long as both counts are full, to the second', async () => {
      const waitOf = async () => (await refusalOf({ ...revoke, code: wrongCode() }))?.retryAfterSeconds;
      await codesOf(10, () => ({}));
      fixture.nowMs += 60_000;
      await codesOf(10, () => revoke);
      expect(await waitOf()).toBe(540);
      fixture.nowMs += 540_000;
      await codesOf(10, () => ({}));
      // The codes of a minute ago bar all others for ten minutes, and those for the end of a key for one.
      expect(await waitOf()).toBe(60);
      fixture.nowMs += 59_999;
      expect(await waitOf()).toBe(1);
      fixture.nowMs += 1;
      expect(await refusalOf({ code: codeAt(fixture.nowMs) })).toMatchObject({ code: 'rate_limit' });
      expect(await refusalOf({ ...revoke, code: codeAt(fixture.nowMs) })).toBeNull();
    });

    it('are counted where they come at once', async () => {
      await codesOf(10, () => ({}));
      const refusals = await Promise.all(Array.from({ length: 14 }, () => refusalOf({ ...revoke, code: wrongCode() })));
      expect(refusals.filter(refusal => refusal?.code === 'mfa_proof_invalid')).toHaveLength(10);
    });

    it('bar no other key of the user where one key alone sent them', async () => {
      for (let period = 0; period < 6; period++) {
        await codesOf(25, () => revoke);
        expect(await refusalOf({ ...revoke, keyId: 'key_of_owner', code: codeAt(fixture.nowMs) })).toBeNull();
        fixture.nowMs += 2 * 60_000;
      }
    });

    it('are refused from every key after fifty wrong ones of the user', async () => {
      const byFive = (index: number) => ({ keyId: `key_${index % 5}` });
      expect(await codesOf(50, byFive)).toEqual(['mfa_proof_invalid']);
      expect(await codesOf(50, index => ({ ...byFive(index), ...revoke }))).toEqual(['mfa_proof_invalid']);
      const refused = await refusalOf({ ...revoke, keyId: 'key_of_owner', code: codeAt(NOON) });
      expect([refused?.code, refused?.retryAfterSeconds]).toEqual(['rate_limit', 600]);
      expect(told.filter(({ barred }) => barred.tally === 'wrong_revoke_at').at(-1)?.barred).toMatchObject({
        kind: 'user',
        limit: 50,
      });
    });

    it('keep their count where a right code lies between', async () => {
      await codesOf(20, index => (index < 10 ? {} : revoke));
      expect(await refusalOf({ keyId: 'key_of_owner', code: codeAt(NOON) })).toBeNull();
      expect(await codesOf(1, () => revoke)).toEqual(['rate_limit']);
    });
  });

  describe('tells of a limit', () => {
    const ofKey = { kind: 'key', id: OWN.keyId, limit: 10, tally: 'wrong_at' } as const;
    const noon = { merchantId: MERCHANT, keyId: OWN.keyId, barred: ofKey, period: '2026-11-01T12:00:00.000Z' };

    it('as it is reached, and not before', async () => {
      for (let i = 0; i < 9; i++) await outcome(wrongCode());
      await outcome(codeAt(NOON));
      expect(told).toEqual([]);
      expect(await outcome(wrongCode())).toBe('mfa_proof_invalid');
      expect(told).toEqual([noon]);
    });

    it('as it is reached by codes that come at once', async () => {
      await Promise.all(Array.from({ length: 10 }, () => outcome(wrongCode())));
      expect(told).toEqual([noon]);
    });

    it('by one period for as long as it bars, and by another one later', async () => {
      for (let i = 0; i < 10; i++) await outcome(wrongCode());
      fixture.nowMs += 9 * 60_000;
      expect(await outcome(wrongCode())).toBe('rate_limit');
      expect(told).toEqual([noon, noon]);
      fixture.nowMs += 60_000;
      for (let i = 0; i < 10; i++) await outcome(wrongCode());
      expect(told.at(-1)).toEqual({ ...noon, period: '2026-11-01T12:10:00.000Z' });
    });

    it('of the user, naming a key that sent a wrong code', async () => {
      for (let i = 0; i < 50; i++) await refusalOf({ code: wrongCode(), keyId: `key_${i % 5}` });
      await refusalOf({ code: codeAt(NOON), keyId: 'key_of_owner' });
      const barred = { kind: 'user', id: userIdOfEmail(EMAIL), limit: 50, tally: 'wrong_at' };
      const [ofUser, ...others] = told.filter(({ barred: { kind } }) => kind === 'user');
      expect([ofUser, others]).toEqual([{ ...noon, keyId: 'key_4', barred }, []]);
      expect(told.filter(({ barred: { kind } }) => kind === 'key')).toHaveLength(5);
    });
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
    const proof = { ...OWN, merchantId: OTHER_MERCHANT, code: '123456', commandId: 'c' };
    await expect(verifier.verify(proof)).rejects.toMatchObject({ code: 'mfa_required' });
  });

  it('names a stored secret that cannot be opened', async () => {
    const email = 'moved@example.com';
    const sealed = await fixture.secretBox.seal(secret, 'usr_of_another_record');
    const user = { merchant_id: MERCHANT, email, password_hash: 'unused', totp_secret_sealed: sealed };
    const context = fixture.context('platform');
    await fixture.writePath.execute(users, userIdOfEmail(email), { type: 'register', user }, context);
    expect(await outcome(codeAt(NOON), 'c', userIdOfEmail(email))).toBe('invalid_totp_secret');
  });
});
