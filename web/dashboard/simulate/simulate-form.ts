import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { FormBody } from '../../../src/platform/http/form-body';
import { currencyDecimals } from '../../../src/vocabulary/currencies';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from '../../../src/vocabulary/sandbox-outcomes';
import { typedMinorUnits } from '../../words/typed-amount';

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

/** The terms of a payment as typed. Throws Refusal invalid_amount, excess_precision or currency_not_supported. */
export function orderOf({ amount = '', currency = '', description = '' }: FormBody) {
  const code = currency.trim().toUpperCase();
  const decimals = currencyDecimals(code);
  if (decimals === null) throw refuse('currency_not_supported', { param: 'currency' });
  return {
    amountMinorUnits: amountOf(amount, code, decimals),
    currency: code,
    description: description.trim() || null,
  };
}

/** Refusals of an amount name its field. */
function amountOf(text: string, code: string, decimals: number): bigint {
  try {
    return typedMinorUnits(text, { decimal: '.', group: ',' }, { code, decimals, signs: [] });
  } catch (error) {
    throw isRefusal(error) ? refuse(error.code, { param: 'amount', cause: error }) : error;
  }
}

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
