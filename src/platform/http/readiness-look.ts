import { SECOND_MS, type Clock } from '../../kernel/clock';
import { Degraded, type AlarmedNetwork, type ReadinessCheck } from '../../kernel/ports/readiness';

const CHECK_TIMEOUT_MS = 5 * SECOND_MS;

export type ReadinessFinding = {
  readonly name: string;
  readonly state: 'ok' | 'degraded' | 'unavailable';
  readonly alarms: readonly AlarmedNetwork[];
  /** The error of the check, for the log and for the operator; null where all is well. */
  readonly error: Error | null;
};

/** The check's finding, after so many seconds at most. Never rejects. */
export async function lookAt(check: ReadinessCheck, clock: Clock): Promise<ReadinessFinding> {
  const { name } = check;
  const finished = new AbortController();
  const late = clock.wait(CHECK_TIMEOUT_MS, finished.signal).then(() => {
    throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`);
  });
  try {
    await Promise.race([check.check(), late]);
    return { name, state: 'ok', alarms: [], error: null };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (error instanceof Degraded) return { name, state: 'degraded', alarms: error.alarms, error };
    return { name, state: 'unavailable', alarms: [], error };
  } finally {
    late.catch(() => undefined);
    finished.abort();
  }
}
