import type { Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Documents } from '../../src/kernel/ports/documents';
import { Checkpoints } from './checkpoints';

const POLL_MS = 50;

/**
 * Waits for a projection that runs in another process: by its checkpoint, which is written once a second. Rejects after
 * `timeoutMs`.
 */
export function checkpointUpTo(
  projection: string,
  { documents, clock }: { readonly documents: Documents; readonly clock: Clock },
): (position: LogPosition, timeoutMs: number) => Promise<void> {
  return async (position, timeoutMs) => {
    const checkpoints = await Checkpoints.open(documents, clock);
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
      const stored = await checkpoints.load(projection);
      if (stored && stored.body.position >= position) return;
      await clock.wait(POLL_MS);
    }
    throw new Error(`the projection ${projection} has not come to ${position} in time`);
  };
}
