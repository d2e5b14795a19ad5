import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock';
import {
  CHALLENGES_OF_ASKER,
  MAX_CHALLENGES,
  PasskeyChallenges,
} from '../../../src/modules/passkeys/passkey-challenges';
import { passkeys } from '../../../src/modules/passkeys/passkey.decider';
import type { PasskeyEvent } from '../../../src/modules/passkeys/passkey.events';
import { relyingPartyOf } from '../../../src/modules/passkeys/relying-party';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { given } from '../../support/given-when-then';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';

const IP = '203.0.113.7';
const CONTEXT = { actor: { role: 'merchant', type: 'user', id: 'usr_1' }, now: 0 } as const;
const FACTS = { passkey_id: 'psk_1', user_id: 'usr_1', credential_id: 'aWQ', public_key: 'a2V5', counter: 0 };
const registered: PasskeyEvent = { type: 'PasskeyRegistered', data: FACTS };
const withdrawn: PasskeyEvent = { type: 'PasskeyWithdrawn', data: { user_id: 'usr_1' } };

describe("a passkey's stream", () => {
  const register = { type: 'register', facts: { ...FACTS, user_id: 'usr_2' }, isOrphan: false } as const;
  const taken: PasskeyEvent = { type: 'PasskeyRegistered', data: register.facts };

  it('has one owner at a time', () => {
    given(passkeys, []).when(register, CONTEXT).then([taken]);
    given(passkeys, [registered]).when(register, CONTEXT).thenRefused('passkey_already_registered');
    given(passkeys, [registered, withdrawn]).when(register, CONTEXT).then([taken]);
  });

  it('is taken over where its registration broke off', () => {
    given(passkeys, [registered])
      .when({ ...register, isOrphan: true }, CONTEXT)
      .then([taken]);
  });

  it('is withdrawn by its owner alone', () => {
    given(passkeys, [registered]).when({ type: 'withdraw', userId: 'usr_1' }, CONTEXT).then([withdrawn]);
    given(passkeys, [registered]).when({ type: 'withdraw', userId: 'usr_2' }, CONTEXT).then([]);
    given(passkeys, [registered, withdrawn]).when({ type: 'withdraw', userId: 'usr_1' }, CONTEXT).then([]);
  });

  it('records twenty regresses of its counter at most', () => {
    const regressed: PasskeyEvent = { type: 'PasskeyCounterRegressed', data: { seen: 7, shown: 3 } };
    const command = { type: 'note_regress', seen: 7, shown: 3 } as const;
    given(passkeys, [registered]).when(command, CONTEXT).then([regressed]);
    const twenty = new Array<PasskeyEvent>(20).fill(regressed);
    given(passkeys, [registered, ...twenty])
      .when(command, CONTEXT)
      .then([]);
    given(passkeys, [registered, withdrawn]).when(command, CONTEXT).then([]);
  });
});

it.each([
  ['https://pay.example/dashboard', { rpId: 'pay.example', origin: 'https://pay.example' }],
  ['https://pay.example:8443/dashboard', { rpId: 'pay.example', origin: 'https://pay.example:8443' }],
  ['http://localhost:8080/dashboard', { rpId: 'localhost', origin: 'http://localhost:8080' }],
  ['http://pay.example/dashboard', null],
  ['http://127.0.0.1:8080/dashboard', null],
  ['https://203.0.113.7/dashboard', null],
  ['http://[::1]:8080/dashboard', null],
])('makes the party of passkeys of %s', (url, expected) => {
  expect(relyingPartyOf(url)).toEqual(expected);
});

describe('challenges (ASVS 6.7.2)', () => {
  const clock = new ManualClock(DAY_MS);
  const open = (limit = MAX_CHALLENGES) =>
    PasskeyChallenges.open(new MemoryDocuments(), clock, new SystemEntropy(), limit);

  it('have 256 random bits, and one use', async () => {
    const challenges = await open();
    const [one, other] = [await challenges.give('sign_in', null, IP), await challenges.give('sign_in', null, IP)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one, 'base64url')).toHaveLength(32);
    const taken = await Promise.all(Array.from({ length: 20 }, () => challenges.take(one, 'sign_in', null)));
    expect(taken.filter(rejection => rejection === null)).toHaveLength(1);
  });

  it('have a bounded store, which has room again when they lapse (passkey_challenges_full)', async () => {
    const challenges = await open(3);
    for (let count = 0; count < 3; count++) await challenges.give('sign_in', null, `198.51.${count}.7`);
    clock.timeMs += MINUTE_MS;
    await expect(challenges.give('sign_in', null, IP)).rejects.toMatchObject({
      code: 'passkey_challenges_full',
      retryAfterSeconds: 240,
    });
    clock.timeMs += 4 * MINUTE_MS;
    await expect(challenges.give('sign_in', null, IP)).resolves.toHaveLength(43);
  });

  it('of strangers stop no registration, and those of one network no other network', async () => {
    const challenges = await open(CHALLENGES_OF_ASKER + 1);
    const first = await challenges.give('sign_in', null, '198.51.0.7');
    clock.timeMs += 1;
    for (let count = 0; count < 2 * CHALLENGES_OF_ASKER; count++) await challenges.give('sign_in', null, '198.51.0.9');
    const own = await challenges.give('sign_in', null, IP);
    await expect(challenges.give('register', 'usr_1', IP)).resolves.toHaveLength(43);
    await expect(challenges.take(own, 'sign_in', null)).resolves.toBeNull();
    await expect(challenges.take(first, 'sign_in', null)).resolves.toBe('challenge_stale');
  });

  it('outlive no clock that is set back by a day', async () => {
    const challenges = await open(1);
    const early = await challenges.give('sign_in', null, IP);
    clock.timeMs -= DAY_MS;
    await expect(challenges.take(early, 'sign_in', null)).resolves.toBe('challenge_stale');
    clock.timeMs += DAY_MS;
    await challenges.give('sign_in', null, IP);
    clock.timeMs -= DAY_MS;
    await expect(challenges.give('sign_in', null, IP)).resolves.toHaveLength(43);
  });
});
