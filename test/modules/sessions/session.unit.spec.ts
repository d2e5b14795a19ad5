import { browserFamily } from '../../../src/modules/sessions/browser-family';
import { networkOf, pinOf } from '../../../src/modules/sessions/client-network';
import { sessionPolicies } from '../../../src/modules/sessions/session-policy.decider';
import { sessions } from '../../../src/modules/sessions/session.decider';
import type { SessionEvent } from '../../../src/modules/sessions/session.events';
import { MAX_REFUSALS_A_DAY, refusalsId, signInRefusals } from '../../../src/modules/sessions/sign-in-refusals.decider';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'merchant', type: 'user', id: 'usr_1' }, now: 0 } as const;
const START = {
  user_id: 'usr_1',
  method: 'password',
  place: { network: '203.0.113.0/24', browser: 'Firefox' },
  is_new_place: true,
} as const;
const started: SessionEvent = { type: 'SessionStarted', data: START };
const ended: SessionEvent = { type: 'SessionEnded', data: { how: 'signed_out' } };

describe("a session's stream", () => {
  it('begins once', () => {
    given(sessions, []).when({ type: 'start', start: START }, CONTEXT).then([started]);
    given(sessions, [started]).when({ type: 'start', start: START }, CONTEXT).then([]);
    given(sessions, [started, ended]).when({ type: 'start', start: START }, CONTEXT).thenRefused('session_revoked');
  });

  it('steps up while it lasts', () => {
    const command = { type: 'step_up', action: 'wallet.create' } as const;
    const stepped = { type: 'SteppedUp', data: { action: 'wallet.create' } } as const;
    given(sessions, [started]).when(command, CONTEXT).then([stepped]);
    given(sessions, []).when(command, CONTEXT).thenRefused('session_revoked');
    given(sessions, [started, ended]).when(command, CONTEXT).thenRefused('session_revoked');
  });

  it('ends once, and only where it has begun', () => {
    const command = { type: 'end', how: 'signed_out' } as const;
    given(sessions, [started]).when(command, CONTEXT).then([ended]);
    given(sessions, [started, ended]).when(command, CONTEXT).then([]);
    given(sessions, []).when(command, CONTEXT).then([]);
  });
});

it('records a day of refusals up to a limit', () => {
  const refused = { type: 'SignInRefused', data: { reason: 'password' } } as const;
  const command = { type: 'refuse', reason: 'password' } as const;
  const almost = new Array<typeof refused>(MAX_REFUSALS_A_DAY - 1).fill(refused);
  given(signInRefusals, almost).when(command, CONTEXT).then([refused]);
  given(signInRefusals, [...almost, refused])
    .when(command, CONTEXT)
    .then([]);
  expect(refusalsId('usr_1', '2026-11-01T23:59:59.999Z')).toBe('usr_1:2026-11-01');
});

describe('a policy of sessions', () => {
  const policy = { idle_minutes: 10, absolute_minutes: 60, pin_ip: true };
  const set = { type: 'SessionPolicySet', data: policy } as const;

  it('is set as a whole, and is no change where it is the same', () => {
    given(sessionPolicies, []).when({ type: 'set', policy }, CONTEXT).then([set]);
    given(sessionPolicies, [set]).when({ type: 'set', policy }, CONTEXT).then([]);
  });

  it.each([
    ['idle_minutes', { ...policy, idle_minutes: 0 }],
    ['idle_minutes', { ...policy, idle_minutes: 31 }],
    ['idle_minutes', { ...policy, absolute_minutes: 9 }],
    ['absolute_minutes', { ...policy, absolute_minutes: 721 }],
  ])('refuses a bad %s', (param, bad) => {
    given(sessionPolicies, []).when({ type: 'set', policy: bad }, CONTEXT).thenRefused('invalid_session_policy', param);
  });
});

it.each([
  ['203.0.113.7', '203.0.113.0/24', '203.0.113.7/32'],
  ['::ffff:203.0.113.7', '203.0.113.0/24', '203.0.113.7/32'],
  ['2001:0db8:1:2:3:4:5:6', '2001:db8:1::/48', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0::/48', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0::/48', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0::/48', '64:ff9b:0:0::/64'],
  ['no address', null, null],
  [null, null, null],
])('finds the networks of %p', (ip, network, pin) => {
  expect([networkOf(ip), pinOf(ip)]).toEqual([network, pin]);
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'Chrome'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 OPR/120.0', 'Opera'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', 'Safari'],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0 Safari/537.36',
    'Samsung Internet',
  ],
  ['curl/8.5.0', 'other'],
  ['', 'other'],
])('names the family of %p', (userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});
