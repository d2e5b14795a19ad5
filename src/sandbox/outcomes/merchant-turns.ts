import { refuse } from '../../vocabulary/errors';

/** Calls of one merchant that wait, beside the one under way. */
const MOST_WAITING = 4;
const MOST_MERCHANTS = 256;

/** One call runs after another, and merchants take turns: none waits for more than one call of each other merchant. */
export class MerchantTurns {
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;

  /** Throws Refusal rate_limit while too many of the merchant's calls, or too many merchants, wait. */
  async take<T>(merchant: string, work: () => Promise<T>): Promise<T> {
    await this.turn(merchant);
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private turn(merchant: string): Promise<void> {
    if (!this.isBusy) {
      this.isBusy = true;
      return Promise.resolve();
    }
    const own = this.waiting.get(merchant) ?? [];
    if (own.length >= MOST_WAITING || (own.length === 0 && this.waiting.size >= MOST_MERCHANTS))
      return Promise.reject(refuse('rate_limit', { message: 'Too many sandbox transfers are under way.' }));
    this.waiting.set(merchant, own);
    return new Promise(resolve => own.push(resolve));
  }

  private pass(): void {
    for (const [merchant, own] of this.waiting) {
      const next = own.shift();
      this.waiting.delete(merchant);
      if (own.length > 0) this.waiting.set(merchant, own);
      if (next) return next();
    }
    this.isBusy = false;
  }
}
