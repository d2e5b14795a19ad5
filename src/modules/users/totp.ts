import { generateSync, ScureBase32Plugin, verifySync } from 'otplib';
import type { Entropy } from '../../kernel/entropy';
import { SECOND_MS } from '../../kernel/clock';

/** RFC 6238 with the parameters that every authenticator app has: SHA-1, six digits, 30 s. */
const TOTP_STEP_SECONDS = 30;
/** Steps after the current one whose code is taken, for an app whose clock is ahead. */
export const STEPS_AHEAD = 1;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;

const CODE_PATTERN = /^\d{6}$/;

/** 20 random bytes as 32 base32 characters, as an authenticator app takes them. */
export function newTotpSecret(entropy: Entropy): string {
  return new ScureBase32Plugin().encode(entropy.bytes(SECRET_BYTES));
}

export function isTotpShape(code: string): boolean {
  return CODE_PATTERN.test(code);
}

/** The code of one step; a step is whole 30 s since 1970. */
export function totpCode(secret: string, step: number): string {
  return generateSync({ secret, epoch: step * TOTP_STEP_SECONDS, period: TOTP_STEP_SECONDS });
}

/** The step that the time lies in. */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / SECOND_MS / TOTP_STEP_SECONDS);
}

/**
 * The step of this code, among the current step and its two neighbours; null for none. The caller checks that there are
 * six digits.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const epoch = Math.floor(nowMs / SECOND_MS);
  const epochTolerance = STEPS_AHEAD * TOTP_STEP_SECONDS;
  const options = { secret, token: code, epoch, period: TOTP_STEP_SECONDS, epochTolerance };
  const verified = verifySync(options);
  return verified.valid && 'timeStep' in verified ? verified.timeStep : null;
}
