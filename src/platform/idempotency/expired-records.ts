import { isoTime, MINUTE_MS } from '../../kernel/clock';
import type { ClaimPorts } from './claim';
import { RECORD_LIFE_MS } from './idempotency-record';

const SWEEP_EVERY_MS = 5 * MINUTE_MS;
const RECORDS_PER_STEP = 200;
/** More than can end between two sweeps; what is left over is the next one's. */
const STEPS_PER_SWEEP = 5_000;

/** An ended record holds its key no longer, so nothing waits for this: it only gives the room back. */
export async function sweepExpired(ports: ClaimPorts, signal: AbortSignal): Promise<void> {
  const { clock, log } = ports;
  while (!signal.aborted) {
    try {
      await deleteExpired(ports, signal);
    } catch (error) {
      log.warn({ err: error }, 'ended idempotency records could not be deleted; tried again later');
    }
    await clock.wait(SWEEP_EVERY_MS, signal);
  }
}

/** Small steps, between which others get to write. A record that was replaced since it was listed stays. */
async function deleteExpired({ records, clock }: ClaimPorts, signal: AbortSignal): Promise<void> {
  const range = { to: isoTime(clock.now() - RECORD_LIFE_MS) };
  for (let step = 0; step < STEPS_PER_SWEEP && !signal.aborted; step++) {
    const ended = await records.list({ index: 'by_insert', equals: {}, range, limit: RECORDS_PER_STEP });
    await Promise.all(ended.map(({ id, version }) => records.deleteAt(id, version)));
    if (ended.length < RECORDS_PER_STEP) return;
  }
}
