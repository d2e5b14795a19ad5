import { generateSync } from 'otplib';
import { pause } from './service-process';

const STEP_MS = 30_000;
/** The time that a code may be on its way: the oldest that is taken could end in between. */
const ON_ITS_WAY_MS = 5_000;

/**
 * The codes of an authenticator app: each step once, only upward, from the oldest that a service still takes to one
 * ahead of the clock.
 */
export class OneTimeCodes {
  private lastStep = 0;

  constructor(
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** Milliseconds until the next code can be had. */
  get waitMs(): number {
    return Math.max(0, (this.nextStep - 1) * STEP_MS - this.now());
  }

  async next(): Promise<string> {
    // A timer may ring a moment early.
    while (this.waitMs > 0) await pause(this.waitMs);
    this.lastStep = this.nextStep;
    return generateSync({ secret: this.secret, epoch: (this.lastStep * STEP_MS) / 1_000, period: STEP_MS / 1_000 });
  }

  private get nextStep(): number {
    return Math.max(this.lastStep + 1, Math.floor((this.now() + ON_ITS_WAY_MS) / STEP_MS) - 1);
  }
}
