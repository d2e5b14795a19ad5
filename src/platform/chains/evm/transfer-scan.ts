import { refuse } from '../../../kernel/errors';
import type { ObservedTransfer } from '../../../kernel/ports/chain';
import { invalidResponse } from '../http-post';
import type { ScannedRange } from '../providers/range-reader';
import type { Provider } from './evm-provider';
import { blockByHash, blockByNumber, contentsAt, receiptOf, receiptsOf } from './evm-queries';
import { LogSearch } from './log-search';
import { isAboutWidth, isWithoutLogs } from './log-span';
import type { RawBlock, RawLog, RawReceipt } from './rpc-shapes';
import { transfersOf } from './transfer-logs';

const RECEIPT_CONCURRENCY = 8;

/**
 * Finds the transfers of one contract to some addresses by one provider's logs, and proves each by its transaction's receipt; where the
 * provider gives no logs, by the receipts of each block. How many questions it takes does not depend on the number of addresses.
 */
export class TransferScan {
  private readonly search: LogSearch;

  constructor(
    private readonly provider: Provider,
    contract: string,
    private readonly recipients: readonly string[],
  ) {
    this.search = new LogSearch(provider, contract, recipients);
  }

  async inBlock(hash: string): Promise<readonly ObservedTransfer[]> {
    // Some nodes answer for a block that they have not got as they do for an empty one; and it may come between two questions.
    const block = await blockByHash(this.provider, hash);
    if (!block) throw this.missing(hash);
    if (this.recipients.length === 0) return [];
    return this.byLogs(
      async () => this.prove(await this.search.inBlock(hash)),
      () => this.byReceipts(block),
    );
  }

  async inRange(from: number, to: number): Promise<ScannedRange> {
    // A node that is behind answers for blocks it has yet to see as it does for empty ones.
    const end = await blockByNumber(this.provider, to);
    if (!end) throw this.missing(to);
    if (this.recipients.length === 0) return { endHash: end.hash, transfers: [] };
    const transfers = await this.byLogs(
      () => this.search.inRange(from, to, logs => this.prove(logs)),
      () => this.byReceiptsOfRange(from, to),
    );
    return { endHash: end.hash, transfers };
  }

  private async byLogs<T>(read: () => Promise<T>, instead: () => Promise<T>): Promise<T> {
    const { access, span } = this.provider;
    if (!access.isOpen()) return instead();
    try {
      return await read();
    } catch (error) {
      const without = isWithoutLogs(error);
      if (!without && !isAboutWidth(error)) throw error;
      if (without) access.close();
      span.collapse();
      return instead();
    }
  }

  private async byReceiptsOfRange(from: number, to: number): Promise<readonly ObservedTransfer[]> {
    const found: ObservedTransfer[] = [];
    for (let height = from; height <= to; height++) {
      const block = await contentsAt(this.provider, height);
      if (!block) throw this.missing(height);
      found.push(...(await this.byReceipts(block)));
    }
    return found;
  }

  private async byReceipts(block: RawBlock): Promise<readonly ObservedTransfer[]> {
    const receipts = await receiptsOf(this.provider, block);
    if (!receipts) throw this.missing(block.hash);
    return receipts.flatMap(receipt => (receipt.status === 1 ? transfersOf(receipt, this.search.filter) : []));
  }

  /** Transfers as the receipts have them: a log alone does not tell its place in the receipt. */
  private async prove(logs: readonly RawLog[]): Promise<readonly ObservedTransfer[]> {
    const byTransaction = groupByTransaction(logs);
    const proven: ObservedTransfer[] = [];
    for (let i = 0; i < byTransaction.length; i += RECEIPT_CONCURRENCY) {
      const batch = byTransaction.slice(i, i + RECEIPT_CONCURRENCY);
      const transfers = await Promise.all(batch.map(ofOneTransaction => this.proveTransaction(ofOneTransaction)));
      proven.push(...transfers.flat());
    }
    return proven;
  }

  private async proveTransaction(logs: readonly RawLog[]): Promise<readonly ObservedTransfer[]> {
    const { transactionHash, blockHash } = logs[0] as RawLog;
    const receipt = await receiptOf(this.provider, transactionHash);
    const method = 'eth_getTransactionReceipt';
    if (!receipt) throw invalidResponse(method, `knows nothing of ${transactionHash}, whose logs were given`);
    if (receipt.status !== 1) throw invalidResponse(method, `calls ${transactionHash} failed, yet its logs were given`);
    if (receipt.blockHash !== blockHash) throw invalidResponse(method, `has ${transactionHash} in another block`);
    const transfers = transfersOf(receipt, this.search.filter);
    if (transfers.length !== logs.length || !bearsOut(receipt, logs))
      throw invalidResponse(method, `disagrees with the logs of ${transactionHash}`);
    return transfers;
  }

  private missing(block: string | number) {
    return refuse('provider_unavailable', { message: `${this.provider.name} has not got block ${block}.` });
  }
}

/** Whether each log stands in the receipt word for word. */
function bearsOut(receipt: RawReceipt, logs: readonly RawLog[]): boolean {
  const own = new Set(receipt.logs.map(textOf));
  return new Set(logs.map(textOf)).size === logs.length && logs.every(log => own.has(textOf(log)));
}

function textOf({ logIndex, address, topics, data }: RawLog): string {
  return JSON.stringify([logIndex, address, topics, data]);
}

function groupByTransaction(logs: readonly RawLog[]): readonly (readonly RawLog[])[] {
  const groups = new Map<string, RawLog[]>();
  for (const log of logs) {
    const group = groups.get(log.transactionHash);
    if (group) group.push(log);
    else groups.set(log.transactionHash, [log]);
  }
  return [...groups.values()];
}
