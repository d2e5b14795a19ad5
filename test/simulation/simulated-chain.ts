import { refuse } from '../../src/kernel/errors';
import type { BlockHeader, Chain } from '../../src/kernel/ports/chain';
import type { ContractReader } from '../../src/kernel/ports/contract-reader';
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
  /** Of two providers, one alone answers: nothing is agreed on, and it leaves out the transfers of so many percent of the blocks. */
  alone: { readonly hiding: number } | null;
};

export type SimulatedChainParts = {
  readonly outside: Pick<ChainOutside, 'chain' | 'faults' | 'scanned' | 'staleReceipts' | 'staleHeaders'>;
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly prng: Prng;
};

/** A network's providers as one process reaches them: they fail, lag, know nothing yet and disagree, and the chain moves between two answers. */
export class SimulatedChain implements Chain, ContractReader {
  readonly providers = ['one.example', 'two.example'];
  /** The last height that two called final, as far as this process knows. */
  private finalized: number | null = null;

  constructor(private readonly parts: SimulatedChainParts) {}

  check(): Promise<void> {
    return this.asked(chain => chain.check());
  }

  head(): Promise<BlockHeader> {
    return this.asked(async chain => {
      const head = await chain.head();
      const { prng, outside } = this.parts;
      const { faults } = outside;
      if (!prng.chance(faults.lagging)) return head;
      return (await chain.blockAt(Math.max(0, head.number - prng.below(faults.lagBlocks + 1)))) ?? head;
    });
  }

  finalizedHeight(): Promise<number> {
    return this.asked(async chain => {
      if (!this.isAlone) this.finalized = await chain.finalizedHeight();
      if (this.finalized === null) throw refuse('provider_unavailable');
      return this.finalized;
    });
  }

  blockAt(height: number): Promise<BlockHeader | null> {
    return this.asked(async chain => {
      const { prng, outside } = this.parts;
      const stale = prng.chance(outside.faults.stale) ? outside.staleHeaders.get(height) : undefined;
      return stale ?? chain.blockAt(height);
    });
  }

  transfersInBlock(hash: string, contract: string, recipients: readonly string[]) {
    return this.asked(async chain => {
      const { prng, outside } = this.parts;
      const isHidden = prng.chance(outside.faults.alone?.hiding ?? 0);
      const found = await chain.transfersInBlock(hash, contract, recipients);
      if (isHidden) return { transfers: [], unread: [] };
      outside.scanned.hashes.add(hash);
      return found;
    });
  }

  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]) {
    return this.asked(async chain => {
      this.requireTwo();
      const found = await chain.transfersInRange(from, to, contract, recipients);
      this.parts.outside.scanned.ranges.push({ from_number: from, to_number: to });
      return found;
    });
  }

  receipt(txHash: string) {
    return this.asked(async chain => {
      this.requireTwo();
      const { prng, outside } = this.parts;
      if (this.knowsNothingYet()) return null;
      const stale = prng.chance(outside.faults.stale) ? outside.staleReceipts.get(txHash) : undefined;
      return stale ?? chain.receipt(txHash);
    });
  }

  secondReceipt(txHash: string) {
    return this.asked(async chain => {
      this.requireTwo();
      return this.knowsNothingYet() ? null : chain.secondReceipt(txHash);
    });
  }

  agreedHash(height: number): Promise<string | null> {
    const { prng, outside } = this.parts;
    return this.asked(async chain => {
      if (this.isAlone) return null;
      return prng.chance(outside.faults.disagreeing) ? null : chain.agreedHash(height);
    });
  }

  /** No contract is called here: who is screened is decided outside. */
  readContract(): Promise<string | null> {
    return this.asked(() => Promise.resolve(null));
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

  private async asked<T>(question: (chain: Chain) => Promise<T>): Promise<T> {
    const { outside, scheduler, life, prng } = this.parts;
    const { chain, faults } = outside;
    await scheduler.turn(life);
    if (prng.chance(faults.unavailable)) throw refuse('provider_unavailable');
    const answer = await question(chain);
    await scheduler.turn(life);
    return answer;
  }
}
