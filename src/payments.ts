import type { Core } from './core';
import { parseIsoTime } from './kernel/clock';
import type { Mode } from './kernel/event';
import type { Collection } from './kernel/ports/documents';
import type { Screening } from './kernel/ports/screening';
import { TOKENS, type NetworkId } from './kernel/tokens';
import type { RateBook } from './modules/quotes/rate-book';
import type { VerificationAddresses } from './modules/wallets/verification-method';
import type { WatchedNetwork } from './networks';
import { TransferMatching } from './processes/matching/transfer-matching';
import { AmountReservation } from './processes/method-selection/amount-reservation';
import { MethodSelection } from './processes/method-selection/method-selection';
import { StoredPaymentTerms } from './processes/method-selection/stored-payment-terms';
import { MicroDepositFollower } from './processes/micro-deposit/micro-deposit-follower';
import { MicroDepositMatching } from './processes/micro-deposit/micro-deposit-matching';
import { Settlement } from './processes/settlement/settlement';
import { COVERAGE_COLLECTION, coverageId, CoverageLedger, type CoverageDocument } from './watchers/coverage-ledger';
import { NetworkWatcher, type WatchedDeposits } from './watchers/network-watcher';
import { PaymentFollower } from './watchers/payment-follower';

/** What takes a payment from its quote to its outcome. */
export type Payments = {
  readonly selection: MethodSelection;
  readonly watchers: readonly NetworkWatcher[];
  readonly coverageOf: (mode: Mode, network: NetworkId) => Promise<CoverageDocument | null>;
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
  /** What a chain's former instance was covered to says nothing of the one that is watched now. */
  const isCovered = async (mode: Mode, network: NetworkId): Promise<boolean> => {
    const watched = networks.find(candidate => candidate.mode === mode && candidate.network === network);
    return watched !== undefined && (await coverageOf(mode, network))?.instance === watched.instance;
  };
  const reservations = new AmountReservation(writes);
  const selection = new MethodSelection(writes, new StoredPaymentTerms(readModels, rates, isCovered), reservations);
  const settlement = new Settlement(writes, screening, reservations, clock, entropy, log);
  const matching = new TransferMatching(writes, clock, entropy, log);
  const depositMatching = new MicroDepositMatching(writes, clock, entropy, log);
  const watchers = networks.map(watched => {
    const address = addresses.addressOf(watched.mode, watched.network);
    const deposits =
      address === null ? null : { address, matching: depositMatching, follower: newFollower(core, watched) };
    return newWatcher(core, watched, coverage, matching, settlement, deposits);
  });
  return { selection, watchers, coverageOf };
}

function newFollower(core: Core, { mode, network, chain }: WatchedNetwork): MicroDepositFollower {
  const { readModels, writes, clock, entropy, log } = core;
  return new MicroDepositFollower({ mode, network, chain, readModels, writes, clock, entropy, log });
}

function newWatcher(
  core: Core,
  { mode, network, chain, instance, sandbox }: WatchedNetwork,
  coverage: Collection<CoverageDocument>,
  matching: TransferMatching,
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
    follower: new PaymentFollower(mode, network, chain, readModels, writes, settlement, clock, entropy, log),
    ...(deposits && { deposits }),
    coverage: new CoverageLedger(mode, network, instance, coverage, writes, clock, entropy),
    clock,
    log,
    matchAtFirstSight: sandbox,
  });
}

/** Milliseconds up to which the network has been scanned without a gap; null when nobody watches it. */
export async function coveredUntil(payments: Payments, mode: Mode, network: NetworkId): Promise<number | null> {
  const covered = await payments.coverageOf(mode, network);
  return covered && parseIsoTime(covered.covered_until);
}
