import { MINUTE_MS, type Clock } from './clock';
import { outageOf } from './outage';
import type { Log } from './ports/log';

const TELL_EVERY_MS = MINUTE_MS;

/** Tells of a loop's interruptions: each fault of our own as an error, an outage as a warning at most once a minute. */
export class Interruptions {
  private toldAtMs = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly message: string,
  ) {}

  tell(error: unknown, facts: Readonly<Record<string, unknown>>): void {
    if (outageOf(error) === null) {
      this.log.error({ ...facts, err: error }, this.message);
      return;
    }
    const now = this.clock.now();
    if (now - this.toldAtMs < TELL_EVERY_MS) return;
    this.toldAtMs = now;
    this.log.warn({ ...facts, err: error }, this.message);
  }
}
