import { isoTime, MINUTE_MS } from '../../kernel/clock';
import type { LeasePorts } from './key-lease';
import { RECORD_LIFE_MS } from './idempotency-record';

const SWEEP_EVERY_MS = 5 * MINUTE_MS;
const RECORDS_PER_STEP = 200;
/** More than can end between two sweeps; the next sweep takes the rest. */
const STEPS_PER_SWEEP = 5_000;

/** An ended record no longer holds its key, so nothing waits for this sweep, which only frees the room. */
export async function sweepExpired(ports: LeasePorts, signal: AbortSignal): Promise<void> {
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

/** Deletes in small steps, between which others can write. A record that was replaced since it was listed stays. */
async function deleteExpired({ records, clock }: LeasePorts, signal: AbortSignal): Promise<void> {
  const range = { to: isoTime(clock.now() - RECORD_LIFE_MS) };
  for (let step = 0; step < STEPS_PER_SWEEP && !signal.aborted; step++) {
    const ended = await records.list({ index: 'by_insert', equals: {}, range, limit: RECORDS_PER_STEP });
    await Promise.all(ended.map(({ id, version }) => records.deleteAt(id, version)));
    if (ended.length < RECORDS_PER_STEP) return;
  }
}
