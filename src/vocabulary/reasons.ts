import { refuse } from './errors';
import { keepsRule, type TextRule } from './text-rules';

/** The reason that a person gives for a step, or a note on it. */
export const REASON = { isWritten: true, max: 500 } as const satisfies TextRule;

/** The reason as it stands in the log. Throws Refusal invalid_reason. */
export function checkedReason(reason: string): string {
  if (keepsRule(reason, REASON)) return reason;
  throw refuse('invalid_reason', { param: 'reason', message: `A reason has 1 to ${REASON.max} characters.` });
}
