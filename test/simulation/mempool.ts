import type { NetworkId } from '../../src/vocabulary/networks';
import type { ChainLog, ChainView, Transaction } from './chain-view';
import { isOn } from './knobs';
import type { ChainOutside } from './outside';
import type { Prng } from './prng';

type Pending = { readonly network: NetworkId; readonly transaction: Transaction };

/** The fate of one transaction in a reorganisation; the others' fates are by chance. */
export type Fate = { readonly txHash: string; readonly fate: 'kept' | 'gone' | 'changed' | 'either' };

/**
 * Percent of transactions that a reorganisation keeps, changes, lets fail or has wait once more: each up to the next;
 * the rest are gone.
 */
const KEPT = 60;
const CHANGED = 68;
const FAILED = 74;
const WAITS = 90;
const SHIFTED = 30;
const UNCHANGED_AGAIN = 40;

/** Transactions that wait for a block, and their fates when blocks are taken back. */
export class Mempool {
  private pending: Pending[] = [];
  /** The transactions as their payers signed them: executed on another fork they may have another effect. */
  private readonly signed = new Map<string, Transaction>();
  /** Transactions that no block takes yet. */
  private readonly held = new Set<string>();

  constructor(private readonly prng: Prng) {}

  add(network: NetworkId, transaction: Transaction): void {
    this.signed.set(transaction.txHash, transaction);
    this.pending.push({ network, transaction });
  }

  /** The transaction as it waits, or was signed. */
  transaction(txHash: string): Transaction | undefined {
    return (
      this.pending.find(({ transaction }) => transaction.txHash === txHash)?.transaction ?? this.signed.get(txHash)
    );
  }

  /** The transaction keeps its place until it is released. */
  hold(txHash: string): void {
    this.held.add(txHash);
  }

  release(txHash: string): void {
    this.held.delete(txHash);
  }

  releaseAll(): void {
    this.held.clear();
  }

  /** The next block of its chain takes each waiting transaction. */
  mineInto({ network, chain }: ChainOutside): void {
    const { now } = chain;
    const isDue = (each: Pending): boolean => each.network === network && !this.held.has(each.transaction.txHash);
    const taken = this.pending.filter(each => isDue(each) && !now.placeOf(each.transaction.txHash));
    this.pending = this.pending.filter(each => !isDue(each));
    chain.mine(...taken.map(({ transaction }) => transaction));
  }

  /** The last blocks go; their transactions come back at once, changed or not, or later, or not at all. */
  reorganise({ network, chain }: ChainOutside, depth: number, meant: Fate | null = null): void {
    const back: Transaction[] = [];
    for (const gone of chain.transactionsOfLast(depth)) {
      const fate = gone.txHash === meant?.txHash ? this.shareOf(meant) : this.prng.below(100);
      if (fate < KEPT) back.push(this.kept(gone));
      else if (fate < CHANGED) back.push(this.changed(gone));
      else if (fate < FAILED) back.push({ ...gone, hasFailed: true });
      else if (fate < WAITS) this.wait(network, gone);
    }
    chain.reorganise(depth, back, this.prng.below(Math.min(depth, 3)));
  }

  /**
   * A fork that was left is the chain again; a transaction that only the other one held waits once more, or is gone.
   */
  returnTo({ network, chain }: ChainOutside, fork: ChainView): void {
    const left = chain.transactionsOfLast(chain.depthOf(fork));
    chain.returnTo(fork);
    for (const transaction of left) if (this.prng.chance(KEPT)) this.wait(network, transaction);
  }

  /** The first of two executions of one transaction waits: no block holds it twice. */
  private wait(network: NetworkId, transaction: Transaction): void {
    const isWaiting = this.pending.some(each => each.transaction.txHash === transaction.txHash);
    if (!isWaiting) this.pending.push({ network, transaction });
  }

  private shareOf({ fate }: Fate): number {
    const shares = { kept: 0, changed: KEPT, gone: WAITS };
    return shares[fate === 'either' ? this.prng.pick(['changed', 'gone', 'gone'] as const) : fate];
  }

  private kept(transaction: Transaction): Transaction {
    const signed = this.signed.get(transaction.txHash);
    if (isOn('returns') && signed && this.prng.chance(UNCHANGED_AGAIN)) return signed;
    return isOn('shifts') && this.prng.chance(SHIFTED) ? this.shifted(transaction) : transaction;
  }

  /** Executed on another fork, a contract may log the same in another order, or something else before it. */
  private shifted({ logs, ...transaction }: Transaction): Transaction {
    const [first, ...others] = logs;
    if (!first) return { ...transaction, logs };
    if (others.length > 0 && this.prng.chance(60)) return { ...transaction, logs: [...others, first] };
    return { ...transaction, logs: [{ ...first, mark: null, to: first.contract }, ...logs] };
  }

  /** Executed anew on another fork, a contract may pay another sum: off by a wallet's rounding, or by half. */
  private changed({ logs, ...transaction }: Transaction): Transaction {
    const { mark } = this.prng.pick(logs);
    const change = this.prng.chance(50) ? (value: bigint) => value + 1n : (value: bigint) => value / 2n;
    const paid = (log: ChainLog): ChainLog => {
      return log.mark === mark ? { ...log, valueBaseUnits: change(log.valueBaseUnits) } : log;
    };
    return { ...transaction, logs: logs.map(paid) };
  }
}
