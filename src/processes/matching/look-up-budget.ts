import { BoundedMap } from '../../kernel/bounded-map';
import { SECOND_MS } from '../../kernel/clock';

/** `burst` looks can be had at once, and `perSecond` more come in each second. */
export type LookUpRate = { readonly burst: number; readonly perSecond: number; readonly underWay: number };

export type LookUpRates = {
  readonly merchant: LookUpRate;
  /** The rate of all merchants on one network together. */
  readonly network: LookUpRate;
  /** The rate of the looks that wait for later, on one network. */
  readonly later: LookUpRate;
};

/** A public provider takes some 25 requests a second, and its watcher needs most of these. A look takes two at most. */
export const LOOK_UP_RATES: LookUpRates = {
  merchant: { burst: 6, perSecond: 1, underWay: 2 },
  network: { burst: 12, perSecond: 2, underWay: 4 },
  later: { burst: 3, perSecond: 2, underWay: 2 },
};

/** So many askers are remembered; a forgotten one has the whole budget again. */
const MOST_REMEMBERED = 10_000;

type Account = { left: number; atMs: number; underWay: number };

/** Limits the looks at transactions that each of several askers may take. */
export class LookUpBudget {
  private readonly accounts = new BoundedMap<string, Account>(MOST_REMEMBERED);

  constructor(private readonly clock: { now(): number }) {}

  /** Takes one look from each of these budgets; null where one of them is used up. The function ends the look. */
  take(rates: Readonly<Record<string, LookUpRate>>): (() => void) | null {
    const asked = Object.entries(rates).map(([name, rate]) => ({ rate, account: this.account(name, rate) }));
    if (asked.some(({ rate, account }) => account.left < 1 || account.underWay >= rate.underWay)) return null;
    for (const { account } of asked) {
      account.left -= 1;
      account.underWay += 1;
    }
    return () => {
      for (const { account } of asked) account.underWay -= 1;
    };
  }

  private account(name: string, { burst, perSecond }: LookUpRate): Account {
    const now = this.clock.now();
    const account = this.accounts.get(name) ?? { left: burst, atMs: now, underWay: 0 };
    const earned = (Math.max(0, now - account.atMs) * perSecond) / SECOND_MS;
    account.left = Math.min(burst, account.left + earned);
    account.atMs = now;
    this.accounts.set(name, account);
    return account;
  }
}
