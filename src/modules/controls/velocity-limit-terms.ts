import { DAY_MS, SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { VelocityLimit } from '../../vocabulary/payment-limits';
import { VELOCITY_SUBJECTS, type VelocityLimitEvent, type VelocitySubject } from './velocity-limit.events';

export const SHORTEST_WINDOW_MS = SECOND_MS;
export const LONGEST_WINDOW_MS = 31 * DAY_MS;
export const GREATEST_COUNT = 1_000_000_000;
const MAX_DIGITS = 30;

/** Throws Refusal invalid_velocity_subject. */
export function velocitySubjectOf(text: string): VelocitySubject {
  const subject = VELOCITY_SUBJECTS.find(each => each === text);
  if (subject !== undefined) return subject;
  const message = `A limit is set for one of ${VELOCITY_SUBJECTS.join(', ')}.`;
  throw refuse('invalid_velocity_subject', { param: 'subject', message });
}

/** Throws Refusal invalid_velocity_window or invalid_velocity_limits. */
export function checkedLimit(limit: VelocityLimit): VelocityLimit {
  const { windowMs, maxCount, maxAmountUsdMinorUnits: amount } = limit;
  if (!isWhole(windowMs, SHORTEST_WINDOW_MS, LONGEST_WINDOW_MS)) {
    const message = `A window has ${SHORTEST_WINDOW_MS} to ${LONGEST_WINDOW_MS} milliseconds.`;
    throw refuse('invalid_velocity_window', { param: 'window_ms', message });
  }
  if (!isWhole(maxCount, 0, GREATEST_COUNT)) throw refuse('invalid_velocity_limits', { param: 'max_count' });
  if (amount < 0n || amount.toString().length > MAX_DIGITS)
    throw refuse('invalid_velocity_limits', { param: 'max_amount_usd' });
  return limit;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

type LimitFacts = Extract<VelocityLimitEvent, { readonly type: 'VelocityLimitSet' }>['data'];

/** A limit as it was recorded. */
export function limitOf(facts: Omit<LimitFacts, 'subject'>): VelocityLimit {
  const { window_ms: windowMs, max_count: maxCount, max_amount_usd_minor_units: amount } = facts;
  return { windowMs, maxCount, maxAmountUsdMinorUnits: BigInt(amount) };
}
