import { isDoneWithin, MINUTE_MS, SECOND_MS, type Clock } from '../../kernel/clock';
import { outageOf } from '../../kernel/outage';
import { StoreUnavailable } from '../../kernel/ports/event-store';
import type { Log } from '../../kernel/ports/log';

const RETRY_MS = SECOND_MS;
/** The log tells once in this time that the start waits. */
const TELL_MS = MINUTE_MS;
/** An attempt under way has this long to end. */
const STOP_PATIENCE_MS = 2 * SECOND_MS;

/** The start was called off. */
export class StartStopped extends Error {}

/**
 * Starts by `attempt`, again and again while an engine is away. Throws StartStopped once `signal` aborts, and every
 * other error of `attempt`.
 */
export async function startWhenReachable<T extends { stop(): Promise<void> }>(
  attempt: () => Promise<T>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  signal: AbortSignal,
): Promise<T> {
  const aborted = new Promise<null>(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }));
  for (let toldMs = -Infinity; !signal.aborted;) {
    const starting = attempt();
    const started = await Promise.race([starting, aborted]).catch((error: unknown) => asOutage(error));
    if (started === null) {
      const ended = starting.then(late => late.stop()).catch(() => undefined);
      await isDoneWithin(clock, STOP_PATIENCE_MS, ended);
    } else if (!(started instanceof StoreUnavailable)) return started;
    else if (clock.now() - toldMs >= TELL_MS) {
      log.warn({ err: started }, 'an engine is away: the start waits for it');
      toldMs = clock.now();
    }
    await clock.wait(RETRY_MS, signal);
  }
  throw new StartStopped('the start was called off');
}

/** A write of the start without an answer is the same outage: written again, it has no second effect in the store. */
function asOutage(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  if (outageOf(error) === 'engine') return new StoreUnavailable('a write of the start has no answer', { cause: error });
  throw error;
}
