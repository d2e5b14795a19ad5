import { generateSync } from 'otplib';
import { pause } from './service-process';

const STEP_MS = 30_000;

/** The codes of an authenticator app: each step once, only upward, from one step behind the clock to one ahead. */
export class OneTimeCodes {
  private lastStep = 0;

  constructor(private readonly secret: string) {}

  /** How long the next code must be waited for, in milliseconds. */
  get waitMs(): number {
    const wanted = Math.max(this.lastStep + 1, Math.floor(Date.now() / STEP_MS) - 1);
    return Math.max(0, (wanted - 1) * STEP_MS - Date.now());
  }

  async next(): Promise<string> {
    await pause(this.waitMs);
    this.lastStep = Math.max(this.lastStep + 1, Math.floor(Date.now() / STEP_MS) - 1);
    return generateSync({ secret: this.secret, epoch: (this.lastStep * STEP_MS) / 1_000, period: STEP_MS / 1_000 });
  }
}
