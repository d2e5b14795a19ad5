import type { BlockReading, ObservedTransfer, Receipt, UnreadBlock } from '../../../kernel/ports/chain';
import type { Side } from '../evm/transfer-logs';
import { isInvalid, type BlockPlace } from '../readings';
import { campsOf, disagreement } from './agreement';
import type { Answer, Operation } from './provider-panel';
import type { ProviderPool } from './provider-pool';
import type { NamedProvider } from './provider-state';

/** One reading asks for so many receipts. A block with further receipts in dispute is unread as a whole. */
export const MOST_DISPUTED_TRANSACTIONS = 64;
const RECEIPT_CONCURRENCY = 8;
/** Readings of a block that stays unread. */
const MOST_READINGS = 2;

/**
 * The receipt with the transfers of these contracts to these recipients, or to anyone; null for a transaction in no
 * block. A receipt of any size is read, unless `mostBytes` limits it. `side`: transfers from these addresses as well.
 */
export type ReceiptQuestion<P> = (
  provider: P,
  txHash: string,
  contracts: readonly string[],
  recipients: readonly string[] | null,
  mostBytes?: number,
  side?: Side,
) => Promise<Receipt | null>;

export type ReadingQuestion = {
  readonly subject: string;
  /** `full`: coverage depends on the answer. `present`: new transfers are seen even while a provider is away. */
  readonly quorum: 'present' | 'full';
  readonly contract: string;
  readonly recipients: readonly string[];
};

/** `endHash` is the hash of the last block of a range. */
type Reading = BlockReading & { readonly endHash?: string };
type Answers<P extends NamedProvider, R> = readonly Answer<P, R>[];
type Transaction = { readonly block: BlockPlace; readonly txHash: string };

/**
 * One reading out of the readings of several providers. Where these differ, each transaction in question is looked at
 * alone: first as they read it, then by its receipt. The facts of enough providers count, and all other transfers are
 * unread. A provider that calls a block unreadable hides none of its transfers.
 */
export class ReadingAgreement<P extends NamedProvider> {
  constructor(
    private readonly pool: ProviderPool<P>,
    private readonly receiptOf: ReceiptQuestion<P>,
  ) {}

  /** The same, read again where a block is unread: a provider that errs now and then makes no hole. */
  async readSurely<R extends Reading>(question: ReadingQuestion, scan: Operation<P, R>): Promise<R> {
    let reading = await this.read(question, scan);
    for (let tries = 1; reading.unread.length > 0 && tries < MOST_READINGS; tries++) {
      reading = await this.read(question, scan);
    }
    return reading;
  }

  /** Throws Refusal where a provider that is asked cannot answer: an outage proves nothing about a block. */
  async read<R extends Reading>(question: ReadingQuestion, scan: Operation<P, R>): Promise<R> {
    const isWhole = ({ unread }: R) => unread.length === 0;
    const { agreed, answers, needed } = await this.pool.votes.hear(question.subject, scan, isWhole, question.quorum);
    if (agreed) return agreed.value;
    const forks = campsOf(answers.map(({ provider, value }) => ({ provider, value: value.endHash })));
    const fork = forks.find(camp => camp.length >= needed);
    if (!fork) throw disagreement(question.subject, forks);
    const ofFork = answers.filter(({ value }) => value.endHash === fork[0]?.value);
    const reading = await this.merge(question, ofFork, needed);
    const [first] = reading.unread;
    if (first) this.pool.tellDispute(first.number, `${question.subject}: ${reading.unread.length} cannot be told.`);
    return { ...(ofFork[0] as Answer<P, R>).value, ...reading };
  }

  private async merge<R extends Reading>(
    question: ReadingQuestion,
    answers: Answers<P, R>,
    needed: number,
  ): Promise<BlockReading> {
    const readings = answers.map(({ value }) => new Words(value));
    const transfers: ObservedTransfer[] = [];
    const unread = unreadBlocks(answers, needed);
    const open: Transaction[] = [];
    for (const transaction of transactionsIn(answers)) {
      const said = mostSaid(
        readings.map(words => words.of(transaction)),
        needed,
      );
      if (said) transfers.push(...said);
      else open.push(transaction);
    }
    for (let start = 0; start < Math.min(open.length, MOST_DISPUTED_TRANSACTIONS); start += RECEIPT_CONCURRENCY) {
      const batch = open.slice(start, Math.min(start + RECEIPT_CONCURRENCY, MOST_DISPUTED_TRANSACTIONS));
      const judged = await Promise.all(
        batch.map(async transaction => {
          // Where one provider is enough, its receipt has been looked at already.
          const receipts = needed > 1 ? await this.receiptsFor(question, transaction, answers) : [];
          const said = mostSaid(receipts, needed);
          const told = readings.filter((words, index) => words.of(transaction) ?? receipts[index]);
          return { transaction, said, reason: told.length < needed ? ('unreadable' as const) : ('disputed' as const) };
        }),
      );
      for (const { transaction, said, reason } of judged) {
        if (said) transfers.push(...said);
        else unread.push({ ...transaction.block, reason, txHash: transaction.txHash });
      }
    }
    const beyond = new Map(open.slice(MOST_DISPUTED_TRANSACTIONS).map(({ block }) => [block.hash, block]));
    for (const block of beyond.values()) unread.push({ ...block, reason: 'disputed', txHash: null });
    return { transfers: transfers.sort((a, b) => a.blockNumber - b.blockNumber), unread };
  }

  /** The transaction by each provider's receipt; null where a provider has no usable receipt. */
  private receiptsFor<R>(
    { contract, recipients }: ReadingQuestion,
    { block, txHash }: Transaction,
    answers: Answers<P, R>,
  ) {
    return this.pool.votes.askEach(
      answers.map(({ provider }) => provider),
      async (provider): Promise<readonly ObservedTransfer[] | null> => {
        try {
          const receipt = await this.receiptOf(provider, txHash, [contract], recipients);
          if (receipt === null) return null;
          return receipt.blockHash === block.hash ? receipt.transfers : [];
        } catch (error) {
          if (!isInvalid(error)) throw error;
          return null;
        }
      },
    );
  }
}

/** The statements of one provider about each transaction. */
class Words {
  private readonly found = new Map<string, ObservedTransfer[]>();
  private readonly unread: ReadonlySet<string>;

  constructor({ transfers, unread }: BlockReading) {
    for (const transfer of transfers) {
      const key = keyOf(transfer.blockHash, transfer.txHash);
      const known = this.found.get(key);
      if (known) known.push(transfer);
      else this.found.set(key, [transfer]);
    }
    this.unread = new Set(unread.map(({ hash, txHash }) => keyOf(hash, txHash)));
  }

  /** Null where the provider could not read the transaction. */
  of({ block, txHash }: Transaction): readonly ObservedTransfer[] | null {
    const key = keyOf(block.hash, txHash);
    const found = this.found.get(key);
    if (found) return found;
    return this.unread.has(key) || this.unread.has(keyOf(block.hash, null)) ? null : [];
  }
}

function transactionsIn<P extends NamedProvider, R extends Reading>(answers: Answers<P, R>): readonly Transaction[] {
  const all = new Map<string, Transaction>();
  for (const { value } of answers) {
    for (const { blockNumber: number, blockHash: hash, txHash } of value.transfers)
      all.set(keyOf(hash, txHash), { block: { number, hash }, txHash });
    for (const { number, hash, txHash } of value.unread)
      if (txHash !== null) all.set(keyOf(hash, txHash), { block: { number, hash }, txHash });
  }
  return [...all.values()];
}

/** Blocks that too few providers could read as a whole. */
function unreadBlocks<P extends NamedProvider, R extends Reading>(
  answers: Answers<P, R>,
  needed: number,
): UnreadBlock[] {
  const blocks = new Map<string, { readonly block: UnreadBlock; count: number }>();
  for (const { value } of answers) {
    for (const block of value.unread.filter(({ txHash }) => txHash === null)) {
      const known = blocks.get(block.hash) ?? { block, count: 0 };
      blocks.set(block.hash, { block, count: known.count + 1 });
    }
  }
  return [...blocks.values()].filter(({ count }) => answers.length - count < needed).map(({ block }) => block);
}

/** The statement of at least `needed` providers; null where too few agree. */
function mostSaid(
  words: readonly (readonly ObservedTransfer[] | null)[],
  needed: number,
): readonly ObservedTransfer[] | null {
  const said = words.flatMap(word => (word ? [{ value: word }] : []));
  return campsOf(said).find(camp => camp.length >= needed)?.[0]?.value ?? null;
}

function keyOf(blockHash: string, txHash: string | null): string {
  return `${blockHash}:${txHash ?? ''}`;
}
