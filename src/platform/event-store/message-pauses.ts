import { SECOND_MS } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { HandlerFailure } from './handler-failure';

/** Pauses of 50 ms, doubling, at most 5 s: a lost race is over at once. */
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5 * SECOND_MS;
/**
 * Pauses of 100 ms, doubling, at most 15 s. A restart is over soon, and a store that is away is not flooded. All work
 * continues within half a minute of the outage's end.
 */
const FIRST_HOLD_MS = 100;
const LONGEST_HOLD_MS = 15 * SECOND_MS;

/**
 * The pause in milliseconds before the next try of a message, or of a gate, that met `holds` outages in a row. A random
 * part of up to one half is taken off, so that not all processes come at once.
 */
export function holdPauseMs(holds: number, entropy: Entropy): number {
  const longestMs = Math.min(FIRST_HOLD_MS * 2 ** (holds - 1), LONGEST_HOLD_MS);
  const half = Math.floor(longestMs / 2);
  return longestMs - (Buffer.from(entropy.bytes(4)).readUInt32BE() % (half + 1));
}

/**
 * The pause before the next try of a message with this failure, which met `holds` outages in a row. The pause is 0
 * where a store was away, since the gate holds the message then.
 */
export function pauseAfter({ outage, failures }: HandlerFailure, holds: number, entropy: Entropy): number {
  if (outage === 'engine') return 0;
  if (outage === 'provider') return holdPauseMs(holds, entropy);
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
