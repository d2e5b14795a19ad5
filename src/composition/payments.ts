import { StoredProgress } from '../../projections/runner/stored-progress';
import type { Core } from './core';
import { randomUuid } from '../kernel/entropy';
import type { CanonicalBlocks } from '../kernel/ports/canonical-blocks';
import type { Collection } from '../kernel/ports/documents';
import type { Screening } from '../kernel/ports/screening';
import { TOKENS } from '../kernel/tokens';
import type { RateBook } from '../modules/quotes/rate-book';
import type { VerificationAddresses } from '../modules/wallets/verification-method';
import { composeMatching, type Matching } from './matching';
import type { WatchedNetwork } from './ports';
import { AmountReservation } from '../processes/method-selection/amount-reservation';
import { MethodSelection } from '../processes/method-selection/method-selection';
import { StoredPaymentTerms } from '../processes/method-selection/stored-payment-terms';
import { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import { MicroDepositMatching } from '../processes/micro-deposit/micro-deposit-matching';
import type { OperatorMail } from '../processes/notices/operator-mail';
import { Settlement } from '../processes/settlement';
import { COVERAGE_COLLECTION, CoverageRecord, type CoverageDocument } from '../watchers/coverage-record';
import { Frontiers } from '../watchers/frontiers';
import { LAG_COLLECTION, LagWatch, type LagDocument } from '../watchers/lag-watch';
import { NetworkWatcher, type WatchedDeposits } from '../watchers/network-watcher';
import { PaymentFollower } from '../watchers/payment-follower';
import { SetAside } from '../watchers/set-aside';
import { watchPolicy } from '../watchers/watch-policy';
import { WATCHER_LEASES, WatcherTurn, type WatcherLeaseDocument } from '../watchers/watcher-turn';

/** What takes a payment from its quote to its outcome. */
export type Payments = {
  readonly selection: MethodSelection;
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
  const { writes, commands, readModels, access, clock, entropy, log, documents } = core;
  const coverage = await documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const frontiers = new Frontiers(networks, coverage, readModels, clock);
  const lags = await documents.open<LagDocument>(LAG_COLLECTION);
  const reservations = new AmountReservation(writes);
  const selection = new MethodSelection(
    writes,
    new StoredPaymentTerms(writes, readModels, access, rates, frontiers),
    reservations,
  );
  const settlement = new Settlement(commands, screening, reservations, clock, log);
  const matching = composeMatching(core, networks, frontiers);
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
      watcher: newWatcher(core, watched, { coverage, matching, settlement, deposits, operatorMail }),
      leases,
      holder,
      mode,
      network,
      sharedAlarm: sinceMs => frontiers.alarmOf(mode, network, sinceMs),
      lagWatch: new LagWatch({ mode, network, coveredUntil, documents: lags, mail: operatorMail, clock, log }),
      clock,
      log,
    });
  });
  return { selection, matching, watchers, canonicalBlocks: matching.canonicalBlocks, frontiers };
}

function newFollower(core: Core, { mode, network, chain }: WatchedNetwork): MicroDepositFollower {
  const { readModels, writes, commands, clock, log } = core;
  return new MicroDepositFollower({ mode, network, chain, readModels, writes, commands, clock, log });
}

type WatcherSurroundings = {
  readonly coverage: Collection<CoverageDocument>;
  readonly matching: Matching;
  readonly settlement: Settlement;
  readonly deposits: WatchedDeposits | null;
  readonly operatorMail: OperatorMail;
};

function newWatcher(
  core: Core,
  { mode, network, chain, instance, sandbox }: WatchedNetwork,
  { coverage, matching, settlement, deposits, operatorMail }: WatcherSurroundings,
): NetworkWatcher {
  const { store, documents, writes, commands, readModels, clock, log } = core;
  const setAside = new SetAside({ mode, network, instance, store, writes, commands, readModels, log });
  return new NetworkWatcher({
    mode,
    network,
    policy: watchPolicy(mode, sandbox),
    tokens: Object.values(TOKENS).filter(token => token.network === network),
    chain,
    readModels,
    progress: new StoredProgress(store, documents, clock),
    matching: matching.matching,
    follower: new PaymentFollower({
      mode,
      network,
      chain,
      readModels,
      commands,
      claims: matching.claims,
      settlement,
      clock,
      log,
    }),
    ...(deposits && { deposits }),
    coverage: new CoverageRecord({
      mode,
      network,
      instance,
      providers: chain.providers,
      documents: coverage,
      commands,
      setAside,
      clock,
      log,
    }),
    setAside,
    tellOperator: notice => operatorMail.tellSetAside(notice),
    clock,
    log,
  });
}
