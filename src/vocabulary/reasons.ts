import { refuse } from './errors';
import { keepsRule, WRITTEN, type TextRule } from './text-rules';

/** The reason that a person gives for a step, or a note on it. */
export const REASON = { isWritten: true, max: 500 } as const satisfies TextRule;
/** The note on a decision about money. */
export const DECISION_NOTE = { isWritten: true, max: 500 } as const satisfies TextRule;

/** The text as it stands in the log, without white space around it. Throws Refusal invalid_reason, naming `param`. */
export function checkedReason(text: string, param: 'reason' | 'note' = 'reason'): string {
  const reason = text.trim();
  if (keepsRule(reason, REASON)) return reason;
  throw refuse('invalid_reason', { param, message: `A ${param} has 1 to ${REASON.max} characters.` });
}

/** The note as it stands in the log. Throws Refusal invalid_resolution for none, parameter_invalid for a longer one. */
export function checkedDecisionNote(note: string): string {
  if (keepsRule(note, DECISION_NOTE)) return note;
  if (!WRITTEN.test(note)) throw refuse('invalid_resolution', { param: 'note' });
  throw refuse('parameter_invalid', { param: 'note', message: `A note has at most ${DECISION_NOTE.max} characters.` });
}
