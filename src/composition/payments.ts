import type { Core } from './core';
import { randomUuid } from '../kernel/entropy';
import type { CanonicalBlocks } from '../kernel/ports/canonical-blocks';
import type { Collection } from '../kernel/ports/documents';
import type { IndexProgress } from '../kernel/ports/index-progress';
import type { Log } from '../kernel/ports/log';
import type { Screening } from '../kernel/ports/screening';
import { TOKENS } from '../vocabulary/tokens';
import { VelocityCounts } from '../modules/controls/velocity-counts';
import type { RateBook } from '../modules/quotes/rate-book';
import type { VerificationAddresses } from '../modules/wallets/verification-method';
import { addressSubject } from '../platform/rate-limits/client-address';
import { composeMatching, type Matching } from './matching';
import type { WatchedNetwork } from './ports';
import { Bookkeeper } from '../processes/books/bookkeeper';
import { ControlledScreening } from '../processes/controlled-screening';
import { AmountReservation } from '../processes/method-selection/amount-reservation';
import { MethodSelection } from '../processes/method-selection/method-selection';
import { SelectionChecks } from '../processes/method-selection/selection-checks';
import { StoredPaymentTerms } from '../processes/method-selection/stored-payment-terms';
import { UnpaidQuota } from '../processes/method-selection/unpaid-quota';
import { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import { MicroDepositMatching } from '../processes/micro-deposit/micro-deposit-matching';
import type { SetAsideNotice } from '../modules/outbox/mail-kinds';
import type { OperatorMail } from '../processes/notices/operator-mail';
import { PayerVelocity } from '../processes/payer-velocity';
import { Settlement } from '../processes/settlement';
import { COVERAGE_COLLECTION, CoverageRecord, type CoverageDocument } from '../watchers/coverage-record';
import { Frontiers } from '../watchers/frontiers';
import { LAG_COLLECTION, LagWatch, type LagDocument } from '../watchers/lag-watch';
import { NetworkWatcher, type WatchedDeposits } from '../watchers/network-watcher';
import { PaymentFollower } from '../watchers/payment-follower';
import { SetAside } from '../watchers/set-aside';
import { WATCHER_LEASES, WatcherTurn, type WatcherLeaseDocument } from '../watchers/watcher-turn';

/** The parts that take a payment from its quote to its outcome. */
export type Payments = {
  readonly velocity: VelocityCounts;
  readonly selection: MethodSelection;
  readonly checks: SelectionChecks;
  readonly matching: Matching;
  readonly watchers: readonly WatcherTurn[];
  readonly canonicalBlocks: CanonicalBlocks;
  readonly frontiers: Frontiers;
};

export async function composePayments(
  core: Core,
  networks: readonly WatchedNetwork[],
  screening: Screening,
  rates: RateBook,
  addresses: VerificationAddresses,
  operatorMail: OperatorMail,
): Promise<Payments> {
  const { writes, commands, readModels, progress, access, clock, entropy, log, documents } = core;
  const coverage = await documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const frontiers = new Frontiers(networks, coverage, readModels, clock);
  const lags = await documents.open<LagDocument>(LAG_COLLECTION);
  const reservations = new AmountReservation(writes, readModels);
  const checks = new SelectionChecks(new StoredPaymentTerms(writes, readModels, rates, frontiers));
  const velocity = await VelocityCounts.open(documents, clock);
  const selection = new MethodSelection(writes, checks, reservations, await unpaidQuotaOf(core), velocity);
  const controlled = new ControlledScreening(screening, access, readModels);
  const payers = new PayerVelocity(access, velocity, clock);
  const settlement = new Settlement(commands, controlled, reservations, clock, log, payers);
  const matching = composeMatching({ ...core, infersCredits: core.config.infersCredits }, networks, frontiers);
  const tellOperator = (notice: SetAsideNotice) => operatorMail.tellSetAside(notice);
  const depositMatching = new MicroDepositMatching(commands, log);
  const leases = core.isAlone ? null : await documents.open<WatcherLeaseDocument>(WATCHER_LEASES);
  const holder = core.isAlone ? '' : randomUuid(entropy);
  const watchers = networks.map(watched => {
    const address = addresses.addressOf(watched.mode, watched.network);
    const deposits =
      address === null ? null : { address, matching: depositMatching, follower: newFollower(core, watched) };
    const { mode, network } = watched;
    const coveredUntil = () => frontiers.scannedUntil(mode, network);
    return new WatcherTurn({
      watcher: composeWatcher(core, watched, {
        ...{ coverage, progress, matching, settlement, deposits, tellOperator },
        books: composeBooks(core, watched, frontiers, address),
      }),
      leases,
      holder,
      mode,
      network,
      sharedAlarm: async sinceMs => (await frontiers.standingOf(mode, network, sinceMs)).alarm,
      lagWatch: new LagWatch({ mode, network, coveredUntil, documents: lags, mail: operatorMail, clock, log }),
      clock,
      log,
    });
  });
  return { velocity, selection, checks, matching, watchers, canonicalBlocks: matching.canonicalBlocks, frontiers };
}

/** Null where requests have no limits. */
async function unpaidQuotaOf({ config, documents, readModels, secretBox, clock }: Core): Promise<UnpaidQuota | null> {
  if (config.rateLimits === null) return null;
  return UnpaidQuota.open(documents, { readModels, secretBox, subjectOf: addressSubject, clock });
}

function newFollower(core: Core, { mode, network, chain }: WatchedNetwork): MicroDepositFollower {
  const { readModels, writes, commands, clock, log } = core;
  return new MicroDepositFollower({ mode, network, chain, readModels, writes, commands, clock, log });
}

/** Null where the network's balances cannot be asked for. */
function composeBooks(
  core: Core,
  { mode, network, chain, instance, balances }: WatchedNetwork,
  frontiers: Frontiers,
  depositAddress: string | null,
): Bookkeeper | null {
  if (!balances) return null;
  const { readModels, progress, commands, clock, log } = core;
  return new Bookkeeper({
    ...{
      mode,
      network,
      instance,
      chain,
      chainBalances: balances,
      depositAddress,
      readModels,
      progress,
      commands,
      clock,
      log,
    },
    tokens: Object.values(TOKENS).filter(token => token.network === network),
    scannedUntil: () => frontiers.blocksUntil(mode, network),
    isReadBelow: block => frontiers.isWholeBelow(mode, network, block),
  });
}

type WatcherMeans = Pick<Core, 'store' | 'writes' | 'commands' | 'readModels' | 'clock'> & { readonly log: Log };

type WatcherSurroundings = {
  readonly coverage: Collection<CoverageDocument>;
  /** How far the read models follow the log. */
  readonly progress: IndexProgress;
  readonly matching: Pick<Matching, 'matching' | 'claims'>;
  readonly settlement: Settlement;
  /** Null where the network has no verification address. */
  readonly deposits: WatchedDeposits | null;
  readonly tellOperator: (notice: SetAsideNotice) => Promise<void>;
  /** Null where the network's balances cannot be asked for. */
  readonly books?: Bookkeeper | null;
};

/** Built once for each network of a service. */
export function composeWatcher(
  { store, writes, commands, readModels, clock, log }: WatcherMeans,
  { mode, network, chain, instance, policy }: WatchedNetwork,
  {
    coverage,
    progress,
    matching: { matching, claims },
    settlement,
    deposits,
    tellOperator,
    books,
  }: WatcherSurroundings,
): NetworkWatcher {
  const means = { mode, network, readModels, commands, clock, log };
  const setAside = new SetAside({ ...means, instance, store, writes });
  return new NetworkWatcher({
    ...means,
    policy,
    tokens: Object.values(TOKENS).filter(token => token.network === network),
    chain,
    progress,
    matching,
    follower: new PaymentFollower({ ...means, chain, claims, settlement }),
    ...(deposits && { deposits }),
    ...(books && { books }),
    coverage: new CoverageRecord({ ...means, instance, providers: chain.providers, documents: coverage, setAside }),
    setAside,
    tellOperator,
  });
}
