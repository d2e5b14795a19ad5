import type { Core } from './core';
import { parseIsoTime } from './kernel/clock';
import { randomUuid } from './kernel/entropy';
import { refuse } from './kernel/errors';
import type { Mode } from './kernel/event';
import type { CanonicalBlocks } from './kernel/ports/canonical-blocks';
import type { Collection } from './kernel/ports/documents';
import type { Screening } from './kernel/ports/screening';
import { TOKENS, type NetworkId } from './kernel/tokens';
import type { RateBook } from './modules/quotes/rate-book';
import type { VerificationAddresses } from './modules/wallets/verification-method';
import { openMatching, type Matching } from './matching';
import type { WatchedNetwork } from './networks';
import { AmountReservation } from './processes/method-selection/amount-reservation';
import { MethodSelection } from './processes/method-selection/method-selection';
import { StoredPaymentTerms } from './processes/method-selection/stored-payment-terms';
import { MicroDepositFollower } from './processes/micro-deposit/micro-deposit-follower';
import { MicroDepositMatching } from './processes/micro-deposit/micro-deposit-matching';
import { Settlement } from './processes/settlement/settlement';
import { COVERAGE_COLLECTION, coverageId, CoverageLedger, type CoverageDocument } from './watchers/coverage-ledger';
import { NetworkWatcher, type WatchedDeposits } from './watchers/network-watcher';
import { PaymentFollower } from './watchers/payment-follower';
import { WATCHER_LEASES, WatcherTurn, type WatcherLeaseDocument } from './watchers/watcher-turn';

/** What takes a payment from its quote to its outcome. */
export type Payments = {
  readonly selection: MethodSelection;
  readonly matching: Matching;
  readonly watchers: readonly WatcherTurn[];
  readonly canonicalBlocks: CanonicalBlocks;
  readonly coverageOf: (mode: Mode, network: NetworkId) => Promise<CoverageDocument | null>;
  /** The wall's moment, in milliseconds, before which all that the network's chain holds has been seen; null when nobody watches it. */
  readonly coveredUntil: (mode: Mode, network: NetworkId) => Promise<number | null>;
};

export async function openPayments(
  core: Core,
  networks: readonly WatchedNetwork[],
  screening: Screening,
  rates: RateBook,
  addresses: VerificationAddresses,
): Promise<Payments> {
  const { writes, readModels, clock, entropy, log, documents } = core;
  const coverage = await documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const coverageOf = async (mode: Mode, network: NetworkId): Promise<CoverageDocument | null> =>
    (await coverage.get(coverageId(mode, network)))?.body ?? null;
  const coveredUntil = async (mode: Mode, network: NetworkId): Promise<number | null> => {
    const watched = networks.find(candidate => candidate.mode === mode && candidate.network === network);
    const covered = await coverageOf(mode, network);
    // What a chain's former instance was covered to says nothing of the one that is watched now.
    if (covered === null || covered.instance !== watched?.instance) return null;
    // A local chain makes blocks on demand, some ahead of their time: there it counts when one was first seen.
    return parseIsoTime(watched.sandbox ? covered.head_seen_at : covered.covered_until);
  };
  const isCovered = async (mode: Mode, network: NetworkId) => (await coveredUntil(mode, network)) !== null;
  const reservations = new AmountReservation(writes);
  const selection = new MethodSelection(
    writes,
    new StoredPaymentTerms(writes, readModels, rates, isCovered),
    reservations,
  );
  const settlement = new Settlement(writes, screening, reservations, clock, entropy, log);
  const matching = openMatching(core, networks);
  const depositMatching = new MicroDepositMatching(writes, clock, entropy, log);
  // Documents of the embedded engine are one process's.
  const isAlone = core.config.mongodbUrl === null;
  const leases = isAlone ? null : await documents.open<WatcherLeaseDocument>(WATCHER_LEASES);
  const holder = isAlone ? '' : randomUuid(entropy);
  const watchers = networks.map(watched => {
    const address = addresses.addressOf(watched.mode, watched.network);
    const deposits =
      address === null ? null : { address, matching: depositMatching, follower: newFollower(core, watched) };
    return new WatcherTurn({
      watcher: newWatcher(core, watched, coverage, matching, settlement, deposits),
      leases,
      holder,
      coveredUntil: () => coveredUntil(watched.mode, watched.network),
      clock,
      log,
    });
  });
  return { selection, matching, watchers, canonicalBlocks: canonicalBlocksOf(networks), coverageOf, coveredUntil };
}

function canonicalBlocksOf(networks: readonly WatchedNetwork[]): CanonicalBlocks {
  return {
    isCanonical: async (mode, network, { number, hash }) => {
      const chain = networks.find(watched => watched.mode === mode && watched.network === network)?.chain;
      const agreed = await chain?.agreedHash(number);
      if (!agreed)
        throw refuse('provider_unavailable', { message: `Block ${number} of ${network} cannot be checked.` });
      return agreed === hash;
    },
  };
}

function newFollower(core: Core, { mode, network, chain }: WatchedNetwork): MicroDepositFollower {
  const { readModels, writes, clock, entropy, log } = core;
  return new MicroDepositFollower({ mode, network, chain, readModels, writes, clock, entropy, log });
}

function newWatcher(
  core: Core,
  { mode, network, chain, instance, sandbox }: WatchedNetwork,
  documents: Collection<CoverageDocument>,
  { matching }: Matching,
  settlement: Settlement,
  deposits: WatchedDeposits | null,
): NetworkWatcher {
  const { writes, readModels, clock, entropy, log } = core;
  return new NetworkWatcher({
    mode,
    network,
    tokens: Object.values(TOKENS).filter(token => token.network === network),
    chain,
    readModels,
    matching,
    follower: new PaymentFollower({ mode, network, chain, readModels, writes, settlement, clock, entropy, log }),
    ...(deposits && { deposits }),
    coverage: new CoverageLedger({
      mode,
      network,
      instance,
      providers: chain.providers,
      documents,
      writes,
      clock,
      entropy,
      log,
    }),
    clock,
    log,
    matchAtFirstSight: sandbox,
  });
}
