import type { Mode } from './modes';

/**
 * The differences in watching between live mode, test mode and a local chain. Two rules differ by mode elsewhere: the
 * number of providers that must agree (PooledChain), and the finality of each network (NETWORKS).
 */
export type WatchPolicy = {
  /** The pause between two looks at the head. */
  readonly pollMs: number;
  /**
   * `first_sight`: a block is read for good as one provider first tells of it. `agreement`: it is read once more when
   * enough providers agree on it, since the first one may have left something out.
   */
  readonly readsForGood: 'first_sight' | 'agreement';
  /** Deadlines are covered up to the time of this block. */
  readonly deadlinesFollow: 'head' | 'agreed_block';
  /** The word for a block's header: one provider's, as the block was scanned, or that of enough of them. */
  readonly headersBy: 'one' | 'enough';
  /** How a single block that is set aside is read again: by its hash, or as a range that is agreed on. */
  readonly holesBy: 'hash' | 'range';
  /**
   * The moment at which a block counts: its time, or its first sight. A transfer of the block belongs to the
   * reservation that is open at that moment. Deadlines before that moment are covered with the block.
   */
  readonly paidAt: 'block_time' | 'first_sight';
  /** The address of micro-deposits where none is configured: none at all, or one whose key nobody has. */
  readonly unsetVerificationAddress: 'none' | 'nobodys';
};

/** In live mode nothing is decided for good by the word of one provider. */
const LIVE: WatchPolicy = {
  pollMs: 3_000,
  readsForGood: 'agreement',
  deadlinesFollow: 'agreed_block',
  headersBy: 'enough',
  holesBy: 'range',
  paidAt: 'block_time',
  unsetVerificationAddress: 'none',
};

/** In test mode deadlines follow the head, so that no payment waits for a testnet's depth. */
const TEST: WatchPolicy = {
  pollMs: 3_000,
  readsForGood: 'first_sight',
  deadlinesFollow: 'head',
  headersBy: 'one',
  holesBy: 'hash',
  paidAt: 'block_time',
  unsetVerificationAddress: 'none',
};

/** A local chain makes a block a second, some ahead of their time, and nobody counts its questions. */
const ON_A_LOCAL_CHAIN: Pick<WatchPolicy, 'pollMs' | 'paidAt' | 'unsetVerificationAddress'> = {
  pollMs: 500,
  paidAt: 'first_sight',
  unsetVerificationAddress: 'nobodys',
};

const POLICIES: Readonly<Record<Mode, WatchPolicy>> = { live: LIVE, test: TEST };

export function watchPolicy(mode: Mode, isLocalChain: boolean): WatchPolicy {
  return isLocalChain ? { ...POLICIES[mode], ...ON_A_LOCAL_CHAIN } : POLICIES[mode];
}
