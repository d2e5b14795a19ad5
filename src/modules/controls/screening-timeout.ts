import { SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';

/** The time that a source has to answer, until an administrator sets another one. */
export const DEFAULT_SCREENING_TIMEOUT_MS = 5 * SECOND_MS;
export const LONGEST_SCREENING_TIMEOUT_MS = 30 * SECOND_MS;

/** Throws Refusal invalid_screening_timeout. */
export function checkedTimeout(timeoutMs: number): number {
  if (Number.isSafeInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_SCREENING_TIMEOUT_MS) return timeoutMs;
  const message = `A source has 1 to ${LONGEST_SCREENING_TIMEOUT_MS} milliseconds to answer.`;
  throw refuse('invalid_screening_timeout', { param: 'timeout_ms', message });
}
