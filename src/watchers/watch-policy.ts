import { SECOND_MS } from '../kernel/clock';
import type { Mode } from '../kernel/event';

/** How a network is watched. All that differs between live mode, test mode and a local chain stands here. */
export type WatchPolicy = {
  /** Between two looks at the head. */
  readonly pollMs: number;
  /**
   * `first_sight`: a block is read for good as one provider first tells of it. `agreement`: it is read once more when
   * enough providers agree on it, since the first one may have left something out.
   */
  readonly readsForGood: 'first_sight' | 'agreement';
  /** Deadlines are covered up to the time of this block. */
  readonly deadlinesFollow: 'head' | 'agreed_block';
  /** Whose word a block's header is: one provider's, as the block was scanned, or that of enough of them. */
  readonly headersBy: 'one' | 'enough';
  /** How a single block that is set aside is read again: by its hash, or as a range that is agreed on. */
  readonly holesBy: 'hash' | 'range';
  /** A transfer belongs to the reservation that is open at this moment. */
  readonly paidAt: 'block_time' | 'first_sight';
};

/** In live mode nothing is decided for good by the word of one provider. */
const LIVE: WatchPolicy = {
  pollMs: 3 * SECOND_MS,
  readsForGood: 'agreement',
  deadlinesFollow: 'agreed_block',
  headersBy: 'enough',
  holesBy: 'range',
  paidAt: 'block_time',
};

/** In test mode deadlines follow the head, so that nobody waits for a testnet's depth. */
const TEST: WatchPolicy = {
  pollMs: 3 * SECOND_MS,
  readsForGood: 'first_sight',
  deadlinesFollow: 'head',
  headersBy: 'one',
  holesBy: 'hash',
  paidAt: 'block_time',
};

/** A local chain makes a block a second, some ahead of their time, and nobody counts its questions. */
const ON_A_LOCAL_CHAIN: Pick<WatchPolicy, 'pollMs' | 'paidAt'> = { pollMs: SECOND_MS / 2, paidAt: 'first_sight' };

const POLICIES: Readonly<Record<Mode, WatchPolicy>> = { live: LIVE, test: TEST };

export function watchPolicy(mode: Mode, isLocalChain: boolean): WatchPolicy {
  return isLocalChain ? { ...POLICIES[mode], ...ON_A_LOCAL_CHAIN } : POLICIES[mode];
}
