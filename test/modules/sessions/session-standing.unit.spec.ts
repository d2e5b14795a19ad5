import { isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { SessionDocument } from '../../../src/modules/sessions/session-document';
import { DEFAULT_SESSION_POLICY } from '../../../src/modules/sessions/session-policy';
import { endOf, isUseWritten, standing } from '../../../src/modules/sessions/session-standing';
import type { SessionStage } from '../../../src/modules/sessions/signed-in';

const START = Date.parse('2026-11-01T12:00:00.000Z');
const PINNED = { ...DEFAULT_SESSION_POLICY, pin_ip: true };
const STRICT = { idle_minutes: 5, absolute_minutes: 60, pin_ip: false };
const V4 = '203.0.113.7';
const V6 = '2001:db8:1:2:3::4';
const [OPEN, EXPIRED, ENDED, ELSEWHERE] = ['open', 'expired', 'ended', 'elsewhere'] as const;

type Given = {
  readonly stage?: SessionStage;
  readonly ip?: string | null;
  readonly usedAfter?: number;
  readonly ended?: true;
};
type Asked = { readonly after: number; readonly ip?: string | null; readonly isHeld?: false };

function session({ stage = 'full', ip = V4, usedAfter = 0, ended }: Given): SessionDocument {
  const created = isoTime(START);
  return {
    session_id: 'ses_1',
    user_id: 'usr_1',
    merchant_id: 'mch_1',
    stage,
    method: 'password',
    ip,
    user_agent: '',
    created,
    last_used_at: isoTime(START + usedAfter * MINUTE_MS),
    expires_at: isoTime(endOf(stage, START, DEFAULT_SESSION_POLICY)),
    epoch: 0,
    ended: ended ? { how: 'signed_out', at: created } : null,
  };
}

/** Minutes are counted from the session's start; 0.001 of one is 60 ms. */
describe('the state of a session (ASVS 7.3.1, 7.3.2, 7.4.1)', () => {
  it.each<[string, Given, typeof DEFAULT_SESSION_POLICY, Asked, string]>([
    ['is open at its start', {}, DEFAULT_SESSION_POLICY, { after: 0 }, OPEN],
    ['is open just before it falls idle', {}, DEFAULT_SESSION_POLICY, { after: 29.999 }, OPEN],
    ['falls idle', {}, DEFAULT_SESSION_POLICY, { after: 30 }, EXPIRED],
    ['is kept by a use', { usedAfter: 20 }, DEFAULT_SESSION_POLICY, { after: 49.999 }, OPEN],
    ['falls idle after its last use', { usedAfter: 20 }, DEFAULT_SESSION_POLICY, { after: 50 }, EXPIRED],
    ['is open just before its end', { usedAfter: 719 }, DEFAULT_SESSION_POLICY, { after: 719.999 }, OPEN],
    ['is open to an instance whose clock is behind', {}, DEFAULT_SESSION_POLICY, { after: -1 }, OPEN],
    ['outlives no clock that is set back', {}, DEFAULT_SESSION_POLICY, { after: -1.001 }, EXPIRED],
    [
      'outlives no clock that is set back after a use',
      { usedAfter: 700 },
      DEFAULT_SESSION_POLICY,
      { after: 5 },
      EXPIRED,
    ],
    ['ends whatever its use', { usedAfter: 719 }, DEFAULT_SESSION_POLICY, { after: 720 }, EXPIRED],
    ['obeys a stricter idle time', {}, STRICT, { after: 5 }, EXPIRED],
    ['obeys a stricter end', { usedAfter: 59 }, STRICT, { after: 60 }, EXPIRED],
    ['has ten minutes for a code', { stage: 'code' }, DEFAULT_SESSION_POLICY, { after: 9.999 }, OPEN],
    ['waits no longer for a code', { stage: 'code', usedAfter: 9 }, DEFAULT_SESSION_POLICY, { after: 10 }, EXPIRED],
    ['waits no longer for a choice', { stage: 'choice', usedAfter: 9 }, DEFAULT_SESSION_POLICY, { after: 10 }, EXPIRED],
    [
      'has half an hour to enrol',
      { stage: 'enrolment', usedAfter: 20 },
      DEFAULT_SESSION_POLICY,
      { after: 30 },
      EXPIRED,
    ],
    ['was ended', { ended: true }, DEFAULT_SESSION_POLICY, { after: 0 }, ENDED],
    ['was ended, and that counts before its time', { ended: true }, DEFAULT_SESSION_POLICY, { after: 999 }, ENDED],
    ['has lost its seat', {}, DEFAULT_SESSION_POLICY, { after: 0, isHeld: false }, ENDED],
    ['comes from anywhere', {}, DEFAULT_SESSION_POLICY, { after: 0, ip: '198.51.100.1' }, OPEN],
    ['is pinned to a whole IPv4 address', {}, PINNED, { after: 0, ip: '203.0.113.8' }, ELSEWHERE],
    ['knows its address mapped into IPv6', {}, PINNED, { after: 0, ip: '::ffff:203.0.113.7' }, OPEN],
    ['is pinned to an IPv6 network', { ip: V6 }, PINNED, { after: 0, ip: '2001:db8:1:2::9' }, OPEN],
    ['is pinned to no wider network', { ip: V6 }, PINNED, { after: 0, ip: '2001:db8:1:3::4' }, ELSEWHERE],
    ['is pinned to no family', { ip: V6 }, PINNED, { after: 0 }, ELSEWHERE],
    ['is pinned where the address is gone', {}, PINNED, { after: 0, ip: null }, ELSEWHERE],
    ['expires wherever it is', {}, PINNED, { after: 30, ip: '198.51.100.1' }, EXPIRED],
  ])('%s', (_, given, policy, { after, ip = V4, isHeld = true }, expected) => {
    const nowMs = START + Math.round(after * MINUTE_MS);
    expect(standing(session(given), { policy, isHeld, nowMs, ip })).toBe(expected);
  });

  it('writes a use down once a minute, and more often under a short idle time', () => {
    const at = (seconds: number, policy = DEFAULT_SESSION_POLICY) =>
      isUseWritten(session({}), policy, START + seconds * 1_000);
    expect([at(59), at(60)]).toEqual([false, true]);
    const short = { ...STRICT, idle_minutes: 1 };
    expect([at(14, short), at(15, short)]).toEqual([false, true]);
  });
});
