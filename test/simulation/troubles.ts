import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock';
import { FINALITY_LAG, NO_FAULTS, type ChainOutside, type Moment, type Outside } from './outside';
import type { Payers, Payment } from './payers';
import type { Prng } from './prng';
import type { Shop } from './shops';

/** One less than the depth at which a transfer counts on the shallowest network. */
const DEEPEST_REORGANISATION = 11;
/** Deeper than that no honest chain goes often. */
const DEEPEST_OF_ALL = 40;
const LONGEST_OUTAGE_HOURS = 26;

/** What goes wrong outside: chains that take back what they said, providers and stores that fail, receivers and a screening that do not answer. */
export class Troubles {
  constructor(
    private readonly outside: Outside,
    private readonly payers: Payers,
    private readonly prng: Prng,
  ) {}

  /** Most reorganisations are of blocks that hold a payment: those are the ones that matter. */
  async reorganise(now: Moment): Promise<void> {
    const outside = this.prng.pick(this.outside.chains);
    const toPayment = this.payers.blocksSinceLastPayment(outside);
    const isDeep = this.prng.chance(4);
    const deepest = isDeep ? DEEPEST_OF_ALL : DEEPEST_REORGANISATION;
    const isMeant = toPayment !== null && toPayment <= deepest && this.prng.chance(60);
    const least = isMeant ? toPayment : 1;
    const depth = least + this.prng.below(deepest - least + 1);
    await this.take(outside, depth, now);
  }

  /** The newest payment of all goes, if its block is not deeper than any reorganisation reaches. */
  async orphanLast(now: Moment): Promise<void> {
    const last = this.payers.payments.at(-1);
    if (!last) return;
    const outside = this.outside.chainOn(last.network);
    const least = this.payers.blocksSinceLastPayment(outside);
    if (least === null || least > DEEPEST_OF_ALL) return;
    // Deeper than where it counts only now and then.
    if (least > DEEPEST_REORGANISATION && this.prng.chance(70)) return;
    await this.take(outside, least + this.prng.below(3), now);
  }

  /** One that has counted goes for good, or comes back with another value, if its block is not deeper than any reorganisation reaches. */
  async lose(payment: Payment, now: Moment): Promise<void> {
    const outside = this.outside.chainOn(payment.network);
    const block = outside.chain.blockOf(payment.transfer.txHash);
    if (block && outside.chain.height - block.number < DEEPEST_OF_ALL)
      await this.take(outside, outside.chain.height - block.number + 1, now, payment);
  }

  private async take(outside: ChainOutside, depth: number, now: Moment, lost: Payment | null = null): Promise<void> {
    await this.remember(outside, depth, now);
    this.payers.reorganise(outside, depth, lost);
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
      () => health.set(this.prng.pick(shops).endpoints[0]?.url ?? '', this.prng.below(100)),
    ];
    this.prng.pick(troubles)();
  }

  end(): void {
    Object.assign(this.outside.disk.faults, { unavailable: 0, answerLost: 0 });
    for (const outside of this.outside.chains) {
      Object.assign(outside.faults, NO_FAULTS);
      outside.chain.finalityLag = FINALITY_LAG;
      outside.chain.isSecondInStep = true;
      outside.outOfStep = null;
    }
  }

  /** No provider of one network answers for a while: how long, in milliseconds. `over` is to be called then. */
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

  /** One provider alone has a word only where nobody's money hangs on it. */
  private leaveOne({ faults }: ChainOutside): void {
    if (this.outside.setting.mode === 'live') faults.alone = { hiding: this.prng.below(101) };
  }

  screenOtherwise(): void {
    const verdict = this.prng.pick(['clear', 'silent', 'high_risk'] as const);
    this.outside.verdicts.set(this.payers.anyPayer(), verdict);
  }

  /** What a provider that stays on the old fork goes on saying, and until when it was true. */
  private async remember(outside: ChainOutside, depth: number, now: Moment): Promise<void> {
    const { chain, left, staleReceipts, staleHeaders } = outside;
    const from = Math.max(1, chain.height - depth + 1);
    staleHeaders.clear();
    for (let height = from; height <= chain.height; height++) {
      const header = await chain.blockAt(height);
      if (header) staleHeaders.set(height, header);
    }
    for (const { txHash } of chain.transactionsOfLast(depth)) {
      const receipt = await chain.receipt(txHash);
      if (!receipt) continue;
      staleReceipts.set(txHash, receipt);
      left.set(receipt.blockHash, now);
    }
    outside.newest = { ...now, from };
  }
}

function fallOutOfStep(outside: ChainOutside, now: Moment): void {
  outside.chain.isSecondInStep = false;
  outside.outOfStep ??= now;
}
