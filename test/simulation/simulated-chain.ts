import { refuse } from '../../src/vocabulary/errors';
import type { BlockHeader, Chain, LookedUp, Receipt } from '../../src/kernel/ports/chain';
import type { ChainBalances } from '../../src/kernel/ports/chain-balances';
import type { ContractReader } from '../../src/kernel/ports/contract-reader';
import type { ChainView } from './chain-view';
import type { Prng } from './prng';
import type { ChainOutside } from './outside';
import type { Life, Scheduler } from './scheduler';

/** Percent of calls, but for the last: blocks that a provider may lie behind. */
export type ProviderFaults = {
  unavailable: number;
  unanswered: number;
  /** Receipts as they were before the last reorganisation of their blocks. */
  stale: number;
  disagreeing: number;
  lagging: number;
  lagBlocks: number;
  /**
   * One of two providers answers alone: nothing is agreed on, and it leaves out the transfers of so many percent of the
   * blocks.
   */
  alone: { readonly hiding: number } | null;
};

export type SimulatedChainParts = {
  readonly outside: ChainOutside;
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly prng: Prng;
};

/** A network as one process reaches it. */
export interface ProcessChain extends Chain, ContractReader {
  readonly outside: ChainOutside;
  readonly balances: ChainBalances;
  /** From now on one provider of this process knows no newer blocks; null ends that. */
  stayBehind(view: ChainView | null): void;
}

/** The range has been read that a trap may be set for. */
export function spring(outside: ChainOutside, from: number, to: number): void {
  const { trap } = outside;
  if (!trap || trap.height < from || trap.height > to) return;
  outside.trap = null;
  trap.spring();
}

/**
 * A network's providers as one process reaches them: they fail, lag, know nothing yet and disagree, and the chain moves
 * between two answers.
 */
export class SimulatedChain implements ProcessChain {
  readonly providers = ['one.example', 'two.example'];
  /** The last height that two called final, as far as this process knows. */
  private finalized: number | null = null;
  /** The provider that is asked first knows these blocks and no others; null while it keeps up. */
  private behind: ChainView | null = null;

  readonly balances: ChainBalances = {
    movementsInRange: (from, to, contract, parties) =>
      this.asked(() => {
        this.requireTwo();
        const endHash = this.agreed(to);
        if (endHash === null) throw refuse('provider_unavailable');
        const transfers = this.parts.outside.chain.now.movementsInRange(from, to, contract, parties);
        return { transfers, unread: [], endHash };
      }),
    balanceAt: (contract, owner, { number, hash }) =>
      this.asked(() => {
        this.requireTwo();
        if (this.agreed(number) !== hash) throw refuse('provider_unavailable');
        return this.parts.outside.chain.now.balanceAt(number, contract, owner);
      }),
  };

  constructor(private readonly parts: SimulatedChainParts) {}

  get outside(): ChainOutside {
    return this.parts.outside;
  }

  stayBehind(view: ChainView | null): void {
    this.behind = view;
  }

  check(): Promise<void> {
    return this.asked(() => undefined);
  }

  head(): Promise<BlockHeader> {
    return this.asked(() => {
      const { prng, outside } = this.parts;
      const { view } = this;
      const { faults } = outside;
      if (!prng.chance(faults.lagging)) return view.head;
      return view.headerAt(Math.max(0, view.height - prng.below(faults.lagBlocks + 1))) ?? view.head;
    });
  }

  finalizedHeight(): Promise<number> {
    return this.asked(() => {
      const { chain } = this.parts.outside;
      if (!this.isAlone) this.finalized = Math.max(0, Math.min(this.view.height, chain.height) - chain.finalityLag);
      if (this.finalized === null) throw refuse('provider_unavailable');
      return this.finalized;
    });
  }

  blockAt(height: number): Promise<BlockHeader | null> {
    return this.asked(() => {
      const { prng, outside } = this.parts;
      const stale = prng.chance(outside.faults.stale) ? outside.staleHeaders.get(height) : undefined;
      return stale ?? this.view.headerAt(height);
    });
  }

  transfersInBlock(hash: string, contract: string, recipients: readonly string[]) {
    return this.asked(() => {
      const { prng, outside } = this.parts;
      const isHidden = prng.chance(outside.faults.alone?.hiding ?? 0);
      const found = this.view.transfersInBlock(hash, contract, recipients);
      if (isHidden) return { transfers: [], unread: [] };
      outside.scanned.add(hash);
      return { transfers: found, unread: [] };
    });
  }

  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]) {
    return this.asked(() => {
      this.requireTwo();
      const { chain, scanned } = this.parts.outside;
      const endHash = this.agreed(to);
      if (endHash === null) throw refuse('provider_unavailable');
      for (let height = from; height <= to; height++) scanned.add(chain.now.hashAt(height) ?? '');
      const found = chain.now.transfersInRange(from, to, contract, recipients);
      spring(this.outside, from, to);
      return { transfers: found, unread: [], endHash };
    });
  }

  receipt(txHash: string): Promise<Receipt | null> {
    return this.asked(() => {
      this.requireTwo();
      const { prng, outside } = this.parts;
      if (this.knowsNothingYet()) return null;
      const stale = prng.chance(outside.faults.stale) ? outside.staleReceipts.get(txHash) : undefined;
      return stale ?? this.view.receipt(txHash);
    });
  }

  async lookUp(txHash: string): Promise<LookedUp> {
    const receipt = await this.receipt(txHash);
    const block = receipt && (await this.blockAt(receipt.blockNumber));
    return receipt && block?.hash === receipt.blockHash ? { kind: 'found', receipt, block } : { kind: 'unknown' };
  }

  lookUpHash(height: number): Promise<string | null> {
    return this.agreedHash(height);
  }

  secondReceipt(txHash: string): Promise<Receipt | null> {
    return this.asked(() => {
      this.requireTwo();
      const { chain } = this.parts.outside;
      return this.knowsNothingYet() || !chain.isSecondInStep ? null : chain.now.receipt(txHash);
    });
  }

  agreedHash(height: number): Promise<string | null> {
    const { prng, outside } = this.parts;
    return this.asked(() => {
      if (this.isAlone) return null;
      return prng.chance(outside.faults.disagreeing) ? null : this.agreed(height);
    });
  }

  async agreedBlock(height: number): Promise<BlockHeader | null> {
    const hash = await this.agreedHash(height);
    const block = this.parts.outside.chain.now.headerAt(height);
    return block?.hash === hash ? block : null;
  }

  /** No contract is called here: who is screened is decided outside. */
  readContract(): Promise<string | null> {
    return this.asked(() => null);
  }

  private get view(): ChainView {
    return this.behind ?? this.parts.outside.chain.now;
  }

  /** The common answer of the provider that is asked first and one that keeps up. */
  private agreed(height: number): string | null {
    const hash = this.parts.outside.chain.now.hashAt(height);
    return this.view.hashAt(height) === hash ? hash : null;
  }

  private get isAlone(): boolean {
    return this.parts.outside.faults.alone !== null;
  }

  private requireTwo(): void {
    if (this.isAlone) throw refuse('provider_unavailable');
  }

  private knowsNothingYet(): boolean {
    return this.parts.prng.chance(this.parts.outside.faults.unanswered);
  }

  private async asked<T>(question: () => T): Promise<T> {
    const { outside, scheduler, life, prng } = this.parts;
    await scheduler.turn(life);
    if (prng.chance(outside.faults.unavailable)) throw refuse('provider_unavailable');
    const answer = question();
    await scheduler.turn(life);
    return answer;
  }
}
