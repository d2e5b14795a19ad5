import { refuse } from '../../src/vocabulary/errors';
import type { BlockHeader, ObservedTransfer, Receipt } from '../../src/kernel/ports/chain';
import type { RangeProvider, ScannedRange } from '../../src/platform/chains/providers/range-reader';
import type { ChainView } from './chain-view';
import type { ChainOutside } from './outside';
import type { Prng } from './prng';
import { spring } from './simulated-chain';
import type { Life, Scheduler } from './scheduler';

export type Question = 'head' | 'header' | 'finality' | 'block' | 'range' | 'receipt' | 'balance';

/** The trouble of one provider of a network for a while, whichever process asks it. */
export type NodeFaults = {
  /** The provider fails these questions, perhaps of one block only, and answers all others. */
  deaf: { readonly to: readonly Question[]; readonly height: number | null; readonly isGarbled: boolean } | null;
  /** The provider tells another time of these blocks. */
  clock: { readonly from: number; readonly to: number; readonly timeMs: (trueMs: number) => number } | null;
  /** The provider calls a block final only so many blocks below the others' last, or as low as it stands still. */
  finality: { readonly behindBlocks: number; readonly standsAt: number } | null;
};

export const NO_NODE_FAULTS: NodeFaults = { deaf: null, clock: null, finality: null };

export type NodeParts = {
  readonly outside: ChainOutside;
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly prng: Prng;
};

/** One provider of a network as one process reaches it, for a pool of them to ask. */
export class SimulatedNode implements RangeProvider {
  readonly span = { blocks: 1_000 };
  readonly name: string;
  /** The provider knows these blocks and no others; null while it keeps up. */
  behind: ChainView | null = null;

  constructor(
    private readonly parts: NodeParts,
    private readonly index: number,
  ) {
    this.name = `node-${index}.example`;
  }

  head(): Promise<BlockHeader> {
    return this.asked('head', null, () => {
      const { faults } = this.parts.outside;
      const { view } = this;
      const isLate = this.isFirst && this.parts.prng.chance(faults.lagging);
      const height = view.height - (isLate ? this.parts.prng.below(faults.lagBlocks + 1) : 0);
      return this.told(view.headerAt(Math.max(0, height)) ?? view.head);
    });
  }

  /** A provider that disagrees has not got the block. */
  headerAt(height: number): Promise<BlockHeader | null> {
    return this.asked('header', height, () => {
      const { prng, outside } = this.parts;
      const { stale, disagreeing } = outside.faults;
      if (this.isFirst && prng.chance(disagreeing)) return null;
      const former = this.isFirst && prng.chance(stale) ? outside.staleHeaders.get(height) : undefined;
      const header = former ?? this.view.headerAt(height);
      return header && this.told(header);
    });
  }

  finalizedHeight(): Promise<number> {
    return this.asked('finality', null, () => {
      const { chain } = this.parts.outside;
      const { behindBlocks, standsAt } = this.faults.finality ?? { behindBlocks: 0, standsAt: Infinity };
      const finalized = Math.min(this.view.height, chain.height) - chain.finalityLag;
      return Math.max(0, Math.min(finalized - behindBlocks, standsAt));
    });
  }

  inBlock(hash: string, contract: string, recipients: readonly string[]) {
    return this.asked('block', this.view.heightOf(hash), () => {
      const transfers = this.view.transfersInBlock(hash, contract, recipients);
      return { transfers: this.shown(hash, transfers), unread: [] };
    });
  }

  /** The reading of the books is no look at the blocks for payments. */
  movements(from: number, to: number, contract: string, parties: readonly string[]): Promise<ScannedRange> {
    return this.asked('range', from, () => {
      const endHash = this.view.hashAt(to);
      if (endHash === null) throw refuse('provider_unavailable', { message: `${this.name} has not got block ${to}` });
      return { transfers: this.view.movementsInRange(from, to, contract, parties), unread: [], endHash };
    });
  }

  balance(contract: string, owner: string, { number, hash }: Pick<BlockHeader, 'number' | 'hash'>): Promise<bigint> {
    return this.asked('balance', number, () => {
      if (this.view.hashAt(number) !== hash) throw refuse('provider_unavailable');
      return this.view.balanceAt(number, contract, owner);
    });
  }

  inRange(from: number, to: number, contract: string, recipients: readonly string[]): Promise<ScannedRange> {
    const { deaf } = this.faults;
    const isMet = deaf?.height !== null && deaf && from <= deaf.height && deaf.height <= to;
    return this.asked('range', isMet ? deaf.height : from, () => {
      const { view } = this;
      const endHash = view.hashAt(to);
      if (endHash === null) throw refuse('provider_unavailable', { message: `${this.name} has not got block ${to}` });
      const transfers: ObservedTransfer[] = [];
      for (let height = from; height <= to; height++) {
        const found = view.transfersInRange(height, height, contract, recipients);
        transfers.push(...this.shown(view.hashAt(height) as string, found));
      }
      if (this.parts.outside.trap?.isEarly) spring(this.parts.outside, from, to);
      return { transfers, unread: [], endHash };
    });
  }

  receipt(txHash: string, contracts: readonly string[], recipients: readonly string[] | null): Promise<Receipt | null> {
    return this.asked('receipt', this.view.placeOf(txHash)?.header.number ?? null, () => {
      const { prng, outside } = this.parts;
      const { stale, unanswered } = outside.faults;
      if (prng.chance(unanswered) || (!this.isFirst && !outside.chain.isSecondInStep)) return null;
      const former = this.isFirst && prng.chance(stale) ? outside.staleReceipts.get(txHash) : undefined;
      const receipt = former ?? this.view.receipt(txHash);
      if (!receipt) return null;
      const isAsked = ({ contract, to }: ObservedTransfer): boolean =>
        contracts.includes(contract) && (recipients?.includes(to) ?? true);
      return { ...receipt, transfers: receipt.transfers.filter(isAsked) };
    });
  }

  private get isFirst(): boolean {
    return this.index === 0;
  }

  private get faults(): NodeFaults {
    return this.parts.outside.nodes[this.index] ?? NO_NODE_FAULTS;
  }

  private get view(): ChainView {
    return this.behind ?? this.parts.outside.chain.now;
  }

  /** The header with its time as this provider has it. */
  private told(header: BlockHeader): BlockHeader {
    const { clock } = this.faults;
    const isOff = clock && clock.from <= header.number && header.number <= clock.to;
    return isOff ? { ...header, timeMs: clock.timeMs(header.timeMs) } : header;
  }

  /** A provider that is alone may leave out a block's transfers. A block is looked at once two have shown all of it. */
  private shown(hash: string, transfers: readonly ObservedTransfer[]): readonly ObservedTransfer[] {
    const { prng, outside } = this.parts;
    if (this.isFirst && prng.chance(outside.faults.alone?.hiding ?? 0)) return [];
    const shownBy = (outside.shownBy.get(hash) ?? new Set<number>()).add(this.index);
    outside.shownBy.set(hash, shownBy);
    if (shownBy.size > 1) outside.scanned.add(hash);
    return transfers;
  }

  private async asked<T>(question: Question, height: number | null, answer: () => T): Promise<T> {
    const { outside, scheduler, life, prng } = this.parts;
    await scheduler.turn(life);
    const { deaf } = this.faults;
    const isAway = outside.faults.alone !== null && !this.isFirst;
    if (isAway || prng.chance(outside.faults.unavailable)) throw refuse('provider_unavailable');
    if (deaf?.to.includes(question) && (deaf.height ?? height) === height)
      throw refuse(deaf.isGarbled ? 'provider_response_invalid' : 'provider_unavailable');
    return answer();
  }
}
