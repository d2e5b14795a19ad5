import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from '../../../src/vocabulary/sandbox-outcomes';

/** The spans by which the panel advances the clock. */
export const SPANS = [
  { value: '1m', text: '1 minute', ms: MINUTE_MS },
  { value: '15m', text: '15 minutes: a price ends', ms: 15 * MINUTE_MS },
  { value: '1h', text: '1 hour', ms: HOUR_MS },
  { value: '1d', text: '1 day: an amount is free again', ms: DAY_MS },
  { value: '7d', text: '7 days: a rotated key ends', ms: 7 * DAY_MS },
] as const;

/** The outcomes that the panel plays, in words. */
export const OUTCOMES: Readonly<Record<SandboxOutcome, string>> = {
  exact: 'Pays exactly',
  short: 'Pays too little',
  over: 'Pays too much',
  late: 'Pays after the price has ended',
  reorged: 'Pays, and the block is replaced',
  reverted: 'Sends a transaction that fails',
  wrong_token: 'Sends another token',
};

/** Throws Refusal parameter_invalid for an outcome that there is not. */
export function outcomeOf({ outcome = '' }: FormBody): SandboxOutcome {
  const chosen = SANDBOX_OUTCOMES.find(each => each === outcome);
  if (chosen === undefined) throw refuse('parameter_invalid', { param: 'outcome' });
  return chosen;
}

/** Throws Refusal invalid_advance for a span that the panel does not offer. */
export function spanOf({ span = '' }: FormBody): number {
  const chosen = SPANS.find(({ value }) => value === span);
  if (chosen === undefined) throw refuse('invalid_advance', { param: 'span' });
  return chosen.ms;
}
