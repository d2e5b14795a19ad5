import { refuse } from './errors';

/** The life of a thing in whole milliseconds, one or more. Throws Refusal invalid_ttl. */
export function timeToLive(ms: number): number {
  if (!isWholeAndPositive(ms)) throw refuse('invalid_ttl');
  return ms;
}

/** The time after its quote's end for which a payment takes money. Throws Refusal invalid_grace_window. */
export function graceWindow(ms: number): number {
  if (!isWholeAndPositive(ms)) throw refuse('invalid_grace_window');
  return ms;
}

const isWholeAndPositive = (ms: number): boolean => Number.isSafeInteger(ms) && ms > 0;
