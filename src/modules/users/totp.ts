import { generateSync, ScureBase32Plugin, verifySync } from 'otplib';
import type { Entropy } from '../../kernel/entropy';
import { SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import { ONE_TIME_CODE, ONE_TIME_CODE_DIGITS } from '../../vocabulary/one-time-codes';

/** `stepsAhead`: steps after the current one whose code is taken, for an app whose clock is ahead. */
type TotpTerms = { readonly digits: number; readonly stepSeconds: number; readonly stepsAhead: number };

const STEP_SECONDS = 30;
const WIDEST_STEPS_AHEAD = 1;

/**
 * The terms of RFC 6238 that every authenticator app has: SHA-1, six digits, 30 s. Throws Refusal invalid_totp_digits,
 * invalid_totp_time_step or invalid_totp_window.
 */
export function totpTerms(terms: TotpTerms): TotpTerms {
  const { digits, stepSeconds, stepsAhead } = terms;
  if (digits !== ONE_TIME_CODE_DIGITS) throw refuse('invalid_totp_digits');
  if (stepSeconds !== STEP_SECONDS) throw refuse('invalid_totp_time_step');
  if (![0, WIDEST_STEPS_AHEAD].includes(stepsAhead)) throw refuse('invalid_totp_window');
  return terms;
}

const TERMS = totpTerms({ digits: ONE_TIME_CODE_DIGITS, stepSeconds: STEP_SECONDS, stepsAhead: WIDEST_STEPS_AHEAD });
export const STEPS_AHEAD = TERMS.stepsAhead;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;

/** 20 random bytes as 32 base32 characters, as an authenticator app takes them. */
export function newTotpSecret(entropy: Entropy): string {
  return new ScureBase32Plugin().encode(entropy.bytes(SECRET_BYTES));
}

export function isTotpShape(code: string): boolean {
  return ONE_TIME_CODE.test(code);
}

/** The code of one step; a step is whole 30 s since 1970. */
export function totpCode(secret: string, step: number): string {
  return generateSync({ secret, epoch: step * TERMS.stepSeconds, period: TERMS.stepSeconds });
}

/** The step that the time lies in. Throws Refusal invalid_totp_time for a time before 1970. */
export function stepAt(nowMs: number): number {
  return Math.floor(unixSeconds(nowMs) / TERMS.stepSeconds);
}

/**
 * The step of this code, among the current step and its two neighbours; null for none. The caller checks that there are
 * six digits.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const epochTolerance = TERMS.stepsAhead * TERMS.stepSeconds;
  const options = { secret, token: code, epoch: unixSeconds(nowMs), period: TERMS.stepSeconds, epochTolerance };
  const verified = verifySync(options);
  return verified.valid && 'timeStep' in verified ? verified.timeStep : null;
}

function unixSeconds(nowMs: number): number {
  if (!Number.isFinite(nowMs) || nowMs < 0) throw refuse('invalid_totp_time');
  return Math.floor(nowMs / SECOND_MS);
}
