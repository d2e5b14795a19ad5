import { characterCount } from './characters';
import { refuse } from './errors';

export const MAX_REASON_LENGTH = 500;

/** The reason that a person gives for a step, as it stands in the log. Throws Refusal invalid_reason. */
export function checkedReason(reason: string): string {
  if (reason.trim() !== '' && characterCount(reason) <= MAX_REASON_LENGTH) return reason;
  throw refuse('invalid_reason', { param: 'reason', message: `A reason has 1 to ${MAX_REASON_LENGTH} characters.` });
}
