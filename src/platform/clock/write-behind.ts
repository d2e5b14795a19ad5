import { SECOND_MS, type Clock } from '../../kernel/clock';
import type { Log } from '../../kernel/ports/log';

const EVERY_MS = SECOND_MS;

/**
 * Runs `write` once a second until `signal` aborts, and then once more. A failure is logged, and the write is tried
 * again a second later.
 */
export async function writeBehind(
  what: string,
  write: () => Promise<void>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  for (let ended = false; !ended;) {
    await clock.wait(EVERY_MS, signal);
    ended = signal.aborted;
    try {
      await write();
    } catch (error) {
      log.warn({ what, err: error }, 'could not be written behind; tried again in a second');
    }
  }
}
