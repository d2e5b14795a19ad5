import type { Provider } from '@nestjs/common';
import type { Core } from './core';
import type { CanonicalBlocks } from '../kernel/ports/canonical-blocks';
import type { IndexProgress } from '../kernel/ports/index-progress';
import type { Log } from '../kernel/ports/log';
import type { WatchedNetwork } from './ports';
import type { Frontiers } from '../watchers/frontiers';
import { watchPolicyOf } from '../platform/config/config';
import { CheckoutNamings } from '../processes/matching/checkout-namings';
import { GiveUpDeferredTransferHandler, GivingUp } from '../processes/matching/giving-up';
import { NamingAnswers } from '../processes/matching/naming-answers';
import { NamingLooks } from '../processes/matching/naming-looks';
import { CandidateSearch } from '../processes/matching/candidate-search';
import { TransferAttribution } from '../processes/matching/attribution';
import { DecisionLooks, type DecisionRates } from '../processes/matching/decision-looks';
import type { LookUpRates } from '../processes/matching/look-up-budget';
import { Inference } from '../processes/matching/inference';
import { IndexWait } from '../processes/matching/index-wait';
import {
  QueueDecisions,
  ReopenUnmatchedTransferHandler,
  ResolveUnmatchedTransferHandler,
} from '../processes/matching/queue-decisions';
import { ReturnedTransfers } from '../processes/matching/returned-transfers';
import { MatchingGroup } from '../processes/matching/matching-group';
import { TransactionLookUps } from '../processes/matching/transaction-look-ups';
import { AttributeTransactionHandler, NamingIntake } from '../processes/matching/naming-intake';
import { TransferClaims } from '../processes/matching/transfer-claims';
import { TransferCredit } from '../processes/matching/transfer-credit';
import { TransferMatching } from '../processes/matching/transfer-matching';
import type { GaplessBelow, WatchedChains } from '../processes/matching/transfer-moment';
import { UnmatchedFollower } from '../processes/matching/unmatched-follower';
import { WaitingNamings } from '../processes/matching/waiting-namings';

/** The parts that find a transfer's payment, and that deal with the transfers that fit none. */
export type Matching = {
  readonly matching: TransferMatching;
  readonly claims: TransferClaims;
  readonly lookUps: TransactionLookUps;
  readonly naming: NamingIntake;
  readonly decisions: QueueDecisions;
  readonly canonicalBlocks: CanonicalBlocks;
  readonly group: MatchingGroup;
  /** Loops in the background, until the signal aborts. */
  readonly followers: readonly (UnmatchedFollower | ReturnedTransfers | NamingLooks)[];
};

type MatcherMeans = Pick<Core, 'writes' | 'commands' | 'clock'> & { readonly log: Log };

type MatchingMeans = MatcherMeans &
  Pick<Core, 'readModels' | 'documents'> & {
    /** How far the read models follow the log. */
    readonly progress: IndexProgress;
    readonly infersCredits: boolean;
    /** How often chains are asked; the service's own limits unless told. */
    readonly rates?: { readonly lookUps: LookUpRates; readonly decisions: DecisionRates };
  };

type GivingUpMeans = Pick<Core, 'writes' | 'config'> & { readonly log: Log };

type Matcher = { readonly matching: TransferMatching; readonly credits: TransferCredit };

/** Built once for a service, and once for a tool that runs beside one. */
function composeMatcher({ writes, commands, clock, log }: MatcherMeans, inference: Inference | null): Matcher {
  const credits = new TransferCredit(commands, clock, log);
  return { matching: new TransferMatching(writes, clock, commands, credits, log, inference), credits };
}

/** Means for a tool to end the wait of deferred transfers. A tool has no matching of a service beside it. */
export function composeGivingUp(core: MatcherMeans & Pick<Core, 'config'>): GivingUp {
  return givingUpBy(composeMatcher(core, null), core);
}

function givingUpBy({ matching }: Pick<Matcher, 'matching'>, { writes, log, config }: GivingUpMeans): GivingUp {
  return new GivingUp({ writes, matching, policyOf: (...asked) => watchPolicyOf(config, ...asked), log });
}

export function composeMatching(
  means: MatchingMeans,
  networks: readonly WatchedNetwork[],
  frontiers: Pick<Frontiers, 'isGaplessBelow' | 'headOf'>,
): Matching {
  const { writes, commands, readModels, progress, rates, clock, log } = means;
  const watched: WatchedChains = (mode, network) =>
    networks.find(candidate => candidate.mode === mode && candidate.network === network) ?? null;
  const index = new IndexWait(progress, clock);
  const inference = means.infersCredits ? new Inference(readModels, clock, index) : null;
  const { matching, credits } = composeMatcher(means, inference);
  const search = new CandidateSearch(readModels, clock, index);
  const isGaplessBelow: GaplessBelow = (...asked) => frontiers.isGaplessBelow(...asked);
  const claims = new TransferClaims({ commands, matching, credits, watched, isGaplessBelow });
  const attribution = new TransferAttribution(writes, clock, search, credits, watched, isGaplessBelow);
  const followers = networks.flatMap(({ mode, network, chain, instance }) => [
    new UnmatchedFollower({ ...means, mode, network, chain, instance, claims }),
    new ReturnedTransfers({ mode, network, readModels, claims, clock, log }),
  ]);
  const headOf: Frontiers['headOf'] = (...asked) => frontiers.headOf(...asked);
  const lookUps = new TransactionLookUps({ watched, headOf, clock, log, ...(rates && { rates: rates.lookUps }) });
  const decisionLooks = new DecisionLooks(watched, clock, rates?.decisions);
  const waiting = new WaitingNamings();
  const shared = { writes, commands, readModels, lookUps, waiting, watched, clock };
  const answers = new NamingAnswers({ ...shared, attribution });
  return {
    matching,
    claims,
    lookUps,
    naming: new NamingIntake({ ...shared, matching, attribution, checkoutNamings: new CheckoutNamings(readModels) }),
    decisions: new QueueDecisions(writes, clock, credits, watched, decisionLooks),
    canonicalBlocks: decisionLooks,
    group: new MatchingGroup({ ...shared, answers, credits, claims, search, index }),
    followers: [...followers, new NamingLooks({ ...shared, matching, answers, log })],
  };
}

/** The decisions of people about transfers: by naming a transaction, in the queue, or by giving up a wait. */
export function matchingProviders(
  core: Core,
  { matching, naming, decisions }: Pick<Matching, 'matching' | 'naming' | 'decisions'>,
): Provider[] {
  return [
    AttributeTransactionHandler,
    ResolveUnmatchedTransferHandler,
    ReopenUnmatchedTransferHandler,
    GiveUpDeferredTransferHandler,
    { provide: GivingUp, useValue: givingUpBy({ matching }, core) },
    { provide: NamingIntake, useValue: naming },
    { provide: QueueDecisions, useValue: decisions },
  ];
}
