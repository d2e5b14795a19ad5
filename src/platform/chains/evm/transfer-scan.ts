import { refuse } from '../../../vocabulary/errors';
import type { BlockReading } from '../../../kernel/ports/chain';
import { invalidResponse } from '../http-post';
import type { ScannedRange } from '../providers/range-reader';
import { bounded, NOTHING } from '../readings';
import { ReceiptReader, type ReceiptSource } from '../receipt-reader';
import type { Provider } from './evm-provider';
import { blockByHash, blockByNumber, contentsAt, receiptOf, receiptsOf, type ReadReceipt } from './evm-queries';
import { LogSearch, type LoggedTransaction } from './log-search';
import { isAboutAmount, isWithoutLogs, mayBeOneBlocks } from './log-span';
import type { RawBlock, RawLog } from './rpc-shapes';
import type { Side } from './transfer-logs';

/**
 * Finds the transfers of one contract to some addresses by one provider's logs, and proves each by its transaction's
 * receipt. Where the provider gives no logs, the receipts of each block are read instead. The number of questions does
 * not depend on the number of addresses.
 */
export class TransferScan {
  private readonly search: LogSearch;

  constructor(
    private readonly provider: Provider,
    contract: string,
    private readonly parties: readonly string[],
    side?: Side,
  ) {
    this.search = new LogSearch(provider, contract, parties, undefined, side);
  }

  async inBlock(hash: string, isLate: boolean): Promise<BlockReading> {
    // Some nodes answer for a block that they do not have as they do for an empty one. The block may also arrive
    // between two questions.
    const block = await blockByHash(this.provider, hash);
    if (!block) throw this.withoutBlock(hash);
    if (this.parties.length === 0) return NOTHING;
    const receipts = this.receipts(isLate);
    const logged = await this.logsOf(block);
    return bounded(logged ? await prove(logged, receipts) : await receipts.ofBlock(block));
  }

  async inRange(from: number, to: number): Promise<ScannedRange> {
    // A node that is behind answers for future blocks as it does for empty ones.
    const end = await blockByNumber(this.provider, to);
    if (!end) throw this.withoutBlock(to);
    if (this.parties.length === 0) return { endHash: end.hash, ...NOTHING };
    const receipts = this.receipts(true);
    const reading = await this.search.inRange(from, to, {
      prove: logged => prove(logged, receipts),
      alone: (height, fault) => this.alone(height, fault, receipts),
    });
    return { endHash: end.hash, ...bounded(reading) };
  }

  private receipts(isLate: boolean): ReceiptReader<ReadReceipt> {
    const { provider, search } = this;
    const source: ReceiptSource<ReadReceipt> = {
      name: provider.name,
      ofBlock: block => receiptsOf(provider, block, search.filter),
      inBlock: async ({ hash }, txHash) => {
        const receipt = await receiptOf(provider, txHash, search.filter);
        return receipt?.blockHash === hash ? receipt : null;
      },
      transfersOf: receipt => (receipt.status === 1 ? receipt.transferLogs.observed(receipt) : []),
    };
    return new ReceiptReader(source, isLate);
  }

  private async alone(height: number, fault: unknown, receipts: ReceiptReader<ReadReceipt>): Promise<BlockReading> {
    const block = await contentsAt(this.provider, height);
    if (!block) throw this.withoutBlock(height);
    const logged = fault === null ? null : await this.narrower(block, fault);
    return logged ? prove(logged, receipts) : receipts.ofBlock(block);
  }

  /** Null where the receipts must be read. */
  private async logsOf(block: RawBlock): Promise<readonly LoggedTransaction[] | null> {
    if (!this.provider.access.isOpen()) return null;
    try {
      return await this.search.inBlock(block.hash);
    } catch (error) {
      return this.narrower(block, error);
    }
  }

  private async narrower(block: RawBlock, fault: unknown): Promise<readonly LoggedTransaction[] | null> {
    if (this.provider.access.isClosed) return null;
    if (isAboutAmount(fault)) {
      try {
        return await this.search.inBlockByHalves(block.hash);
      } catch (error) {
        if (!mayBeOneBlocks(error)) throw error;
        return null;
      }
    }
    if (!mayBeOneBlocks(fault)) throw fault;
    if (isWithoutLogs(fault)) this.search.giveUpLogs();
    return null;
  }

  private withoutBlock(block: string | number) {
    return refuse('provider_unavailable', { message: `${this.provider.name} has not got block ${block}.` });
  }
}

/** Transfers as the receipts have them: a log alone does not tell its place in the receipt. */
function prove(logged: readonly LoggedTransaction[], receipts: ReceiptReader<ReadReceipt>): Promise<BlockReading> {
  return receipts.each(logged, ({ block, txHash, logs, isWhole }) =>
    receipts.ofTransaction(block, txHash, receipt => {
      if (isWhole && !(receipt.status === 1 && bearsOut(receipt, logs))) {
        throw invalidResponse('eth_getTransactionReceipt', `disagrees with the logs of ${txHash}`);
      }
    }),
  );
}

/** Whether the receipt has these transfers word for word, and no others. */
function bearsOut({ transferLogs: { transfers } }: ReadReceipt, logs: readonly RawLog[]): boolean {
  return transfers.length === logs.length && transfers.every(({ log }, index) => isSame(log, logs[index]));
}

function isSame(one: RawLog, other: RawLog | undefined): boolean {
  return (
    one.logIndex === other?.logIndex &&
    one.address === other.address &&
    one.data === other.data &&
    one.topics.join() === other.topics.join()
  );
}
