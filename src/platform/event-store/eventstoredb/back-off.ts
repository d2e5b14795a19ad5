import type { Clock } from '../../../kernel/clock';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/**
 * Pauses of 100 ms, doubling, at most 10 s. A restart of the server is over soon, and a server that is away is not
 * flooded.
 */
export class BackOff {
  private nextMs = FIRST_WAIT_MS;

  constructor(private readonly clock: Clock) {}

  async wait(signal: AbortSignal): Promise<void> {
    const waitMs = this.nextMs;
    this.nextMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    await this.clock.wait(waitMs, signal);
  }

  reset(): void {
    this.nextMs = FIRST_WAIT_MS;
  }
}
