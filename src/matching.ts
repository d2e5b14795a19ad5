import { StoredProgress } from '../projections/runner/stored-progress';
import type { Core } from './core';
import type { WatchedNetwork } from './networks';
import type { Frontiers } from './watchers/frontiers';
import { CandidateSearch } from './processes/matching/candidate-search';
import { TransferAttribution } from './processes/matching/attribution';
import { IndexWait } from './processes/matching/index-wait';
import { QueueDecisions } from './processes/matching/queue-decisions';
import { StrayTransfers } from './processes/matching/stray-transfers';
import { TransactionNaming } from './processes/matching/transaction-naming';
import { TransferClaims } from './processes/matching/transfer-claims';
import { TransferCredit } from './processes/matching/transfer-credit';
import { TransferMatching } from './processes/matching/transfer-matching';
import type { WatchedChains } from './processes/matching/transfer-moment';
import { UnmatchedFollower } from './processes/matching/unmatched-follower';

/** Which payment a transfer belongs to, and what becomes of one that fits none. */
export type Matching = {
  readonly matching: TransferMatching;
  readonly naming: TransactionNaming;
  readonly decisions: QueueDecisions;
  readonly strays: StrayTransfers;
  readonly followers: readonly UnmatchedFollower[];
};

export function openMatching(core: Core, networks: readonly WatchedNetwork[], frontiers: Frontiers): Matching {
  const { writes, readModels, store, documents, clock, entropy, log } = core;
  const watched: WatchedChains = (mode, network) =>
    networks.find(candidate => candidate.mode === mode && candidate.network === network) ?? null;
  const matching = new TransferMatching(writes, clock, entropy, log);
  const credits = new TransferCredit(writes, clock, entropy, log);
  const index = new IndexWait(new StoredProgress(store, documents, clock), clock);
  const search = new CandidateSearch(readModels, clock, index);
  const claims = new TransferClaims({ writes, clock, entropy, matching, credits, watched });
  const attribution = new TransferAttribution(writes, clock, search, credits, watched, (...asked) =>
    frontiers.isGaplessBelow(...asked),
  );
  const shared = { writes, readModels, claims, clock, entropy };
  const followers = networks.map(({ mode, network, chain }) => {
    return new UnmatchedFollower({ ...shared, mode, network, chain, log });
  });
  return {
    matching,
    naming: new TransactionNaming({ writes, matching, attribution, watched, clock, log }),
    decisions: new QueueDecisions(writes, readModels, clock, credits, watched),
    strays: new StrayTransfers({ ...shared, credits, attribution, search, index, watched }),
    followers,
  };
}
