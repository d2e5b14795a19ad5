import { refuse } from '../../vocabulary/errors';
import type { SessionPolicyFacts } from './session-policy.events';

/** The longest times of any merchant's policy, which hold until the merchant chooses shorter ones. */
export const DEFAULT_SESSION_POLICY: SessionPolicyFacts = { idle_minutes: 30, absolute_minutes: 720, pin_ip: false };

/** Throws Refusal invalid_session_policy, naming the field. */
export function checkedSessionPolicy({
  idle_minutes,
  absolute_minutes,
  pin_ip,
}: SessionPolicyFacts): SessionPolicyFacts {
  checkMinutes('idle_minutes', idle_minutes);
  checkMinutes('absolute_minutes', absolute_minutes);
  if (idle_minutes > absolute_minutes) throw refuse('invalid_session_policy', { param: 'idle_minutes' });
  return { idle_minutes, absolute_minutes, pin_ip };
}

function checkMinutes(param: 'idle_minutes' | 'absolute_minutes', minutes: number): void {
  const most = DEFAULT_SESSION_POLICY[param];
  if (Number.isInteger(minutes) && minutes > 0 && minutes <= most) return;
  throw refuse('invalid_session_policy', { param, message: `Give whole minutes from 1 to ${most}.` });
}
