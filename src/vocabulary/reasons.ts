import { refuse } from './errors';
import { keepsRule, type TextRule } from './text-rules';

/** The reason that a person gives for a step, or a note on it. */
export const REASON = { isWritten: true, max: 500 } as const satisfies TextRule;

/** The text as it stands in the log, without white space around it. Throws Refusal invalid_reason, naming `param`. */
export function checkedReason(text: string, param: 'reason' | 'note' = 'reason'): string {
  const reason = text.trim();
  if (keepsRule(reason, REASON)) return reason;
  throw refuse('invalid_reason', { param, message: `A ${param} has 1 to ${REASON.max} characters.` });
}
