import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import type { ChainView } from './chain-view';
import type { Fate } from './mempool';
import { FINALITY_LAG, NO_FAULTS, NOT_LATE, type ChainOutside, type Moment, type Outside } from './outside';
import type { Payers, Payment } from './payers';
import { ProviderTroubles } from './provider-troubles';
import type { Prng } from './prng';
import type { Shop } from './shops';
import type { ProcessChain } from './simulated-chain';

/** One less than the depth at which a transfer counts on the shallowest network. */
const DEEPEST_REORGANISATION = 11;
/** Deeper than that no honest chain goes often. */
const DEEPEST_OF_ALL = 40;
const LONGEST_OUTAGE_HOURS = 26;
/** Forks of a chain that may come back. */
const FORKS_KEPT = 3;
/** The read models from which an absence is concluded; null for all. */
const LATE_CATEGORIES = ['payment_intent', 'transfer', 'naming', 'wallet', null] as const;

/**
 * Troubles outside: chains that take back their word, providers and stores that fail, receivers and a screening that do
 * not answer.
 */
export class Troubles {
  /** Ends of a chain that were left, the newest last. */
  private readonly forks = new Map<ChainOutside, ChainView[]>();
  readonly providers: ProviderTroubles;

  constructor(
    private readonly outside: Outside,
    private readonly payers: Payers,
    private readonly prng: Prng,
  ) {
    this.providers = new ProviderTroubles(outside, payers, prng);
  }

  /** Most reorganisations are of blocks that hold a payment: those are the ones that matter. */
  reorganise(now: Moment): void {
    const outside = this.prng.pick(this.outside.chains);
    const toPayment = this.payers.blocksSinceLastPayment(outside);
    const isDeep = this.prng.chance(4);
    const deepest = isDeep ? DEEPEST_OF_ALL : DEEPEST_REORGANISATION;
    const isMeant = toPayment !== null && toPayment <= deepest && this.prng.chance(60);
    const least = isMeant ? toPayment : 1;
    const depth = least + this.prng.below(deepest - least + 1);
    this.take(outside, depth, now);
  }

  /** The newest payment of all goes, if its block is not deeper than any reorganisation reaches. */
  orphanLast(now: Moment): void {
    const last = this.payers.payments.at(-1);
    if (!last) return;
    const outside = this.outside.chainOn(last.network);
    const least = this.payers.blocksSinceLastPayment(outside);
    if (least === null || least > DEEPEST_OF_ALL) return;
    // Deeper than where it counts only now and then.
    if (least > DEEPEST_REORGANISATION && this.prng.chance(70)) return;
    this.take(outside, least + this.prng.below(3), now);
  }

  /**
   * The payment's block goes, if it is not deeper than any reorganisation reaches; the caller gives its transaction's
   * fate.
   */
  lose({ network, txHash }: Payment, now: Moment, fate: Fate['fate']): void {
    const outside = this.outside.chainOn(network);
    const block = outside.chain.now.blockOf(txHash);
    if (block && outside.chain.height - block.number < DEEPEST_OF_ALL)
      this.take(outside, outside.chain.height - block.number + 1, now, { txHash, fate });
  }

  /** A fork that was left is the chain once more, if it was left not deeper than any reorganisation reaches. */
  comeBack(now: Moment, outside = this.prng.pick(this.outside.chains)): void {
    const { chain } = outside;
    const deepest = this.prng.chance(10) ? DEEPEST_OF_ALL : 2 * DEEPEST_REORGANISATION;
    const near = (this.forks.get(outside) ?? []).filter(fork => chain.depthOf(fork) <= deepest);
    const fork = near.at(-1 - this.prng.below(near.length));
    if (!fork) return;
    this.remember(outside, chain.depthOf(fork), now);
    this.payers.mempool.returnTo(outside, fork);
  }

  /** The fork that was left last comes back as the blocks that took its place are read in a range. */
  trap(outside: ChainOutside, now: () => Moment): void {
    const fork = (this.forks.get(outside) ?? []).at(-1);
    if (!fork) return;
    const spring = (): void => {
      this.remember(outside, outside.chain.depthOf(fork), now());
      this.payers.mempool.returnTo(outside, fork);
    };
    outside.trap = { height: fork.height, isEarly: this.prng.chance(50), spring };
  }

  /** One provider of a process stays where it is, or on a fork that was left just now. */
  fallBehind(chain: ProcessChain): void {
    const { outside } = chain;
    const fork = (this.forks.get(outside) ?? []).at(-1);
    const isNear = fork && outside.chain.depthOf(fork) <= 2 * DEEPEST_REORGANISATION;
    chain.stayBehind(isNear && this.prng.chance(70) ? fork : outside.chain.snapshot());
  }

  private take(outside: ChainOutside, depth: number, now: Moment, meant: Fate | null = null): void {
    this.remember(outside, depth, now);
    this.payers.mempool.reorganise(outside, depth, meant);
  }

  begin(shops: readonly Shop[], now: Moment): void {
    const { disk, chains, health } = this.outside;
    const any = (): ChainOutside => this.prng.pick(chains);
    const troubles = [
      () => Object.assign(disk.faults, { unavailable: this.prng.below(20), answerLost: this.prng.below(20) }),
      () => Object.assign(any().faults, { unavailable: this.prng.below(101) }),
      () => Object.assign(any().faults, { disagreeing: this.prng.below(60) }),
      () => Object.assign(any().faults, { lagging: 50, lagBlocks: this.prng.below(25) }),
      () => Object.assign(any().faults, { unanswered: this.prng.below(60) }),
      () => fallOutOfStep(any(), now),
      () => Object.assign(any().faults, { stale: this.prng.below(80) }),
      () => this.leaveOne(any()),
      () => Object.assign(any().chain, { finalityLag: this.prng.pick([FINALITY_LAG, 30, 400]) }),
      () => health.set(this.prng.pick(this.prng.pick(shops).endpoints).url, this.prng.below(100)),
    ];
    this.prng.pick(troubles)();
  }

  /** Documents are behind the log for minutes: they are written by nobody at once, and late by their projections. */
  slowDocuments(category: string | null = this.prng.pick(LATE_CATEGORIES)): void {
    const { prng, outside } = this;
    if (prng.chance(70)) outside.writing.refused = prng.pick([30, 100]);
    outside.late = { category, lateMs: (1 + prng.below(8)) * 30 * SECOND_MS };
  }

  hurryDocuments(): void {
    this.outside.writing.refused = 0;
    this.outside.late = NOT_LATE;
  }

  end(): void {
    this.hurryDocuments();
    Object.assign(this.outside.disk.faults, { unavailable: 0, answerLost: 0 });
    this.providers.end();
    for (const outside of this.outside.chains) {
      Object.assign(outside.faults, NO_FAULTS);
      outside.chain.finalityLag = FINALITY_LAG;
      outside.chain.isSecondInStep = true;
      outside.outOfStep = null;
    }
  }

  /** No provider of one network answers for a while: the time in milliseconds. The caller calls `over` then. */
  blackout(): { readonly durationMs: number; readonly over: () => void } {
    const { faults } = this.prng.pick(this.outside.chains);
    faults.unavailable = 100;
    const minutes = this.prng.chance(50) ? 10 + this.prng.below(40) : 0;
    const hours = minutes > 0 ? 0 : 1 + this.prng.below(LONGEST_OUTAGE_HOURS);
    const over = (): void => {
      faults.unavailable = 0;
    };
    return { durationMs: minutes * MINUTE_MS + hours * HOUR_MS, over };
  }

  /** In live mode no provider has a word by itself. */
  private leaveOne({ faults }: ChainOutside): void {
    if (this.outside.setting.mode === 'live') faults.alone = { hiding: this.prng.below(101) };
  }

  screenOtherwise(): void {
    const verdict = this.prng.pick(['clear', 'silent', 'high_risk'] as const);
    this.outside.verdicts.set(this.payers.anyPayer(), verdict);
  }

  /** The answers of a provider that stays on the old fork, and the moment until which they were true. */
  private remember(outside: ChainOutside, depth: number, now: Moment): void {
    const { chain, left, staleReceipts, staleHeaders } = outside;
    const view = chain.snapshot();
    this.forks.set(outside, [...(this.forks.get(outside) ?? []), view].slice(-FORKS_KEPT));
    const from = Math.max(1, chain.height - depth + 1);
    staleHeaders.clear();
    for (let height = from; height <= chain.height; height++) {
      const header = view.headerAt(height);
      if (header) staleHeaders.set(height, header);
    }
    for (const { txHash } of chain.transactionsOfLast(depth)) {
      const receipt = view.receipt(txHash);
      if (!receipt) continue;
      staleReceipts.set(txHash, receipt);
      left.set(receipt.blockHash, now);
    }
    outside.reorganisations.push({ ...now, from });
  }
}

function fallOutOfStep(outside: ChainOutside, now: Moment): void {
  outside.chain.isSecondInStep = false;
  outside.outOfStep ??= now;
}
