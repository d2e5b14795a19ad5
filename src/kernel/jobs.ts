import type { Clock } from './clock';
import { refuse } from '../vocabulary/errors';

const JOB_ID = /^[a-z0-9]+(?:[-. ][a-z0-9]+)*$/;
const MOST_JOBS = 1_000;

/** The loops of a process, each under an id of its own: two loops of one id would do the same work twice. */
export class Jobs {
  private readonly byId = new Map<string, Promise<void>>();

  constructor(private readonly signal: AbortSignal) {}

  /** `run` ends when the signal aborts. Throws Refusal invalid_job or duplicate_job before it runs. */
  start(id: string, run: (signal: AbortSignal) => Promise<void>): void {
    if (!JOB_ID.test(id) || this.byId.size >= MOST_JOBS) throw refuse('invalid_job', { message: `No job: ${id}` });
    if (this.byId.has(id)) throw refuse('duplicate_job', { message: `The job ${id} runs already.` });
    this.byId.set(id, run(this.signal));
  }

  get running(): readonly Promise<void>[] {
    return [...this.byId.values()];
  }
}

type Rounds = {
  /** Whole milliseconds between the end of a round and the next one. */
  readonly everyMs: number;
  readonly clock: Pick<Clock, 'wait'>;
  /** Takes the fault of a round; the next round comes all the same. */
  readonly onFault: (error: unknown) => void;
};

/** One round after the other until `signal` aborts. Throws Refusal invalid_job_interval before the first round. */
export async function repeat(round: () => Promise<unknown>, rounds: Rounds, signal: AbortSignal): Promise<void> {
  const { everyMs, clock, onFault } = rounds;
  if (!Number.isSafeInteger(everyMs) || everyMs < 1) throw refuse('invalid_job_interval');
  while (!signal.aborted) {
    try {
      await round();
    } catch (error) {
      onFault(error);
    }
    await clock.wait(everyMs, signal);
  }
}
