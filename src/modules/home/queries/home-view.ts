import type { NetworkAlarm } from '../../../vocabulary/network-alarm';
import type { NetworkId } from '../../../vocabulary/networks';
import type { TokenId } from '../../../vocabulary/tokens';
import type { CurrencyTakings } from '../takings-by-day';

/** A number of things, counted up to a limit: `isMore` where there are more than that. */
export type Counted = { readonly count: number; readonly isMore: boolean };

/** The things that wait for somebody's decision. */
export type Waiting = {
  /** Payments in review with less than was asked. */
  readonly underpaid: Counted;
  /** Payments in review with money that came late. */
  readonly late: Counted;
  readonly unmatchedTransfers: Counted;
  /** Payments under a hold, which compliance resolves. */
  readonly holds: Counted;
  /** Endpoints that were disabled since they kept failing. */
  readonly disabledEndpoints: Counted;
  /** Events with a delivery whose attempts are all made. */
  readonly exhaustedEvents: Counted;
};

/** The free amounts for one price. */
export type PricePoint = {
  /** In whole tokens. */
  readonly price: bigint;
  readonly free: number;
  readonly of: number;
};

/** The free amounts at the wallet that a token's payments go to. */
export type Headroom = { readonly tokenId: TokenId; readonly points: readonly PricePoint[] };

export type NetworkCoverage = {
  readonly network: NetworkId;
  /** Whole minutes since the newest scanned block; null where no process has read the network. */
  readonly lagMinutes: number | null;
  readonly alarm: NetworkAlarm | null;
};

export const FIRST_STEPS = ['wallet', 'route', 'payment', 'key', 'endpoint', 'verification'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export type HomeView = {
  /** The shown days of the merchant's time zone, the oldest first; the last one is today. */
  readonly days: readonly string[];
  readonly takings: readonly CurrencyTakings[];
  /** The transfers of settled payments that were lost on the chain in these days: takings still contain them. */
  readonly lost: { readonly transfers: number; readonly payments: readonly string[] };
  readonly waiting: Waiting;
  readonly headroom: readonly Headroom[];
  readonly coverage: readonly NetworkCoverage[];
  readonly steps: readonly { readonly step: FirstStep; readonly isDone: boolean }[];
};
