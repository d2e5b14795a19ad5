import { MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { ErrorCode } from '../../vocabulary/errors';
import { pinOf } from './client-network';
import type { SessionDocument } from './session-document';
import type { SessionPolicyFacts } from './session-policy.events';
import type { SessionStage } from './signed-in';

/** The first step of a sign-in waits so long for the next one. */
const STEP_LIFETIME_MS = 10 * MINUTE_MS;
/** An enrolment shows a code to scan. */
const ENROLMENT_LIFETIME_MS = 30 * MINUTE_MS;
const LAST_USE_WRITTEN_EVERY_MS = MINUTE_MS;
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;
/** Shorter idle times have their last use written more often, or an active session would fall idle. */
const WRITES_AN_IDLE_TIME = 4;

type SessionStanding = 'open' | 'expired' | 'ended' | 'elsewhere';

export const STANDING_REFUSALS: Readonly<Record<Exclude<SessionStanding, 'open'>, ErrorCode>> = {
  expired: 'session_expired',
  ended: 'session_revoked',
  elsewhere: 'session_ip_mismatch',
};

/** The end of a session of the stage that starts at `startMs`, whatever happens in it. */
export function endOf(stage: SessionStage, startMs: number, policy: SessionPolicyFacts): number {
  switch (stage) {
    case 'code':
    case 'choice':
      return startMs + STEP_LIFETIME_MS;
    case 'enrolment':
      return startMs + ENROLMENT_LIFETIME_MS;
    case 'full':
      return startMs + policy.absolute_minutes * MINUTE_MS;
  }
}

/** The facts around a session's document. `isHeld`: the user's seats still know the session. */
type Surroundings = {
  readonly policy: SessionPolicyFacts;
  readonly isHeld: boolean;
  /** By the wall's clock. */
  readonly nowMs: number;
  /** The address of the request. */
  readonly ip: string | null;
};

/**
 * The state of a session at a moment, for a request. Pure. A policy that was made stricter holds for sessions that have
 * begun before; one that was eased prolongs none of them. A time ahead was written by a clock that has been set back
 * since: such a session would else outlive its limits.
 */
export function standing(
  session: Pick<SessionDocument, 'stage' | 'ip' | 'created' | 'last_used_at' | 'expires_at' | 'ended'>,
  { policy, isHeld, nowMs, ip }: Surroundings,
): SessionStanding {
  if (session.ended !== null || !isHeld) return 'ended';
  if ([session.created, session.last_used_at].some(time => parseIsoTime(time) > nowMs + CLOCK_DRIFT_MS))
    return 'expired';
  const ownEndMs = endOf(session.stage, parseIsoTime(session.created), policy);
  if (nowMs >= Math.min(parseIsoTime(session.expires_at), ownEndMs)) return 'expired';
  if (nowMs >= parseIsoTime(session.last_used_at) + idleMs(policy)) return 'expired';
  return policy.pin_ip && pinOf(ip) !== pinOf(session.ip) ? 'elsewhere' : 'open';
}

/** Whether a use at this moment is written down. */
export function isUseWritten(
  { last_used_at }: Pick<SessionDocument, 'last_used_at'>,
  policy: SessionPolicyFacts,
  nowMs: number,
): boolean {
  const everyMs = Math.min(LAST_USE_WRITTEN_EVERY_MS, idleMs(policy) / WRITES_AN_IDLE_TIME);
  return nowMs - parseIsoTime(last_used_at) >= everyMs;
}

function idleMs({ idle_minutes }: SessionPolicyFacts): number {
  return idle_minutes * MINUTE_MS;
}
