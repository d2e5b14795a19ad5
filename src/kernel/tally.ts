import { MINUTE_MS } from './clock';
import type { Log } from './ports/log';

const TELL_EVERY_MS = MINUTE_MS;

/** Tells of events that anybody can cause: at most once a minute, with the newest facts and the number since. */
export class Tally {
  private count = 0;
  private toldAtMs = -Infinity;

  constructor(
    private readonly clock: { now(): number },
    private readonly log: Log,
    private readonly message: string,
  ) {}

  add(facts: Readonly<Record<string, unknown>>): void {
    this.count += 1;
    const now = this.clock.now();
    if (now - this.toldAtMs < TELL_EVERY_MS) return;
    this.log.info({ ...facts, count: this.count }, this.message);
    this.toldAtMs = now;
    this.count = 0;
  }
}
