import { isRefusal } from '../../../src/vocabulary/errors';
import { MFA_PROOFS, MfaProofs, PROOF_LIFETIME_MS } from '../../../src/modules/users/mfa-proofs';
import type { EnrolledUser } from '../../../src/modules/users/totp-verifier';
import { IdentityFixture, MERCHANT, OTHER_MERCHANT } from '../merchants/identity-fixture';

const BINDING = { merchantId: MERCHANT, mode: 'test', keyId: 'key_1', action: 'wallet.create' } as const;
const ENROLLED = { userId: 'usr_00000000000000000000000001', merchantId: MERCHANT, totpSecretSealed: 'sealed' };

let fixture: IdentityFixture;
let proofs: MfaProofs;
let enrolled: EnrolledUser | null;

beforeEach(async () => {
  fixture = new IdentityFixture();
  enrolled = ENROLLED;
  const users = { find: () => Promise.resolve(enrolled) };
  proofs = await MfaProofs.open(fixture.documents, users, fixture.secretBox, fixture);
});

/** `accepted`, or the code of the refusal. */
async function outcome(proof: string, commandId: string, binding: typeof BINDING | object = {}): Promise<string> {
  try {
    await proofs.use(proof, { ...BINDING, ...binding }, commandId);
    return 'accepted';
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

const issue = (commandId = 'c0') => proofs.issue(BINDING, ENROLLED, commandId);

it('is of 256 bits, for five minutes, and its text is not stored', async () => {
  const issued = await issue();
  expect(issued).toEqual({
    proof: expect.stringMatching(/^mfap_[\w-]{43}$/) as string,
    action: 'wallet.create',
    expires_at: '2026-11-01T12:05:00.000Z',
  });
  const stored = await (await fixture.documents.open(MFA_PROOFS)).list({ index: 'by_end', equals: {}, limit: 10 });
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(issued.proof.slice(5));
});

it('is used once, by 50 commands at the same moment', async () => {
  const { proof } = await issue();
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => outcome(proof, `c${index + 1}`)));
  expect(outcomes.filter(each => each === 'accepted')).toHaveLength(1);
  expect(outcomes.filter(each => each === 'mfa_reverification_required')).toHaveLength(49);
});

it('serves the command that used it again, even twice at once and after its end', async () => {
  const { proof } = await issue();
  expect(await Promise.all([outcome(proof, 'c1'), outcome(proof, 'c1')])).toEqual(['accepted', 'accepted']);
  fixture.nowMs += PROOF_LIFETIME_MS;
  expect(await outcome(proof, 'c1')).toBe('accepted');
  expect(await outcome(proof, 'c2')).toBe('mfa_reverification_required');
});

it.each([
  ['another action', { action: 'wallet.verify' }, 'mfa_reverification_required'],
  ['another key', { keyId: 'key_2' }, 'mfa_reverification_required'],
  ['another mode', { mode: 'live' }, 'mfa_proof_invalid'],
  ['another merchant', { merchantId: OTHER_MERCHANT }, 'mfa_proof_invalid'],
])('is no proof for %s, and stays unused', async (_, binding, code) => {
  const { proof } = await issue();
  expect(await outcome(proof, 'c1', binding)).toBe(code);
  expect(await outcome(proof, 'c1')).toBe('accepted');
});

it.each([
  ['a disabled user, or of one without an authenticator', null],
  ['an authenticator that another one has replaced', { ...ENROLLED, totpSecretSealed: 'other' }],
  ['a user of another merchant by now', { ...ENROLLED, merchantId: OTHER_MERCHANT }],
])('is no proof of %s, unless its command has used it before', async (_, user) => {
  const [used, unused] = [await issue('c8'), await issue('c9')];
  expect(await outcome(used.proof, 'c1')).toBe('accepted');
  enrolled = user;
  expect([await outcome(unused.proof, 'c2'), await outcome(used.proof, 'c1')]).toEqual([
    'mfa_proof_invalid',
    'accepted',
  ]);
});

it('lapses at the end of its five minutes', async () => {
  const { proof } = await issue();
  fixture.nowMs += PROOF_LIFETIME_MS - 1;
  expect(await outcome((await issue('c9')).proof, 'c1')).toBe('accepted');
  fixture.nowMs += 1;
  expect(await outcome(proof, 'c2')).toBe('mfa_proof_stale');
});

it.each(['', 'mfap_', `mfap_${'a'.repeat(43)}`, `mfap_${'a'.repeat(44)}`, '123456'])(
  'knows nothing of %p',
  async text => {
    expect(await outcome(text, 'c1')).toBe('mfa_proof_invalid');
  },
);

it('is the same for the same command run again', async () => {
  const first = await issue();
  fixture.nowMs += 1_000;
  expect(await issue()).toEqual(first);
  expect((await issue('c8')).proof).not.toBe(first.proof);
});

it('is cleared away a day after its end', async () => {
  await issue();
  fixture.nowMs += PROOF_LIFETIME_MS + 24 * 3_600_000;
  await issue('c5');
  expect(await (await fixture.documents.open(MFA_PROOFS)).count()).toBe(1);
});
